/** What a bearer token may be; apart from the server, which takes long to load. */

/** The characters of a bearer token (RFC 6750), and enough of them. */
export const tokenPattern = /^[A-Za-z0-9._~+/-]{16,512}=*$/;
