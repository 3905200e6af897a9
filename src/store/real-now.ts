/** Milliseconds since 1970. Bound when this module loads, before a test can put a fake clock in its place. */
export const realNow = Date.now
