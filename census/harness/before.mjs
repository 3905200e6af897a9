/** Loaded before the runner: what code has that was there first. */
globalThis.fetchBefore = globalThis.fetch
