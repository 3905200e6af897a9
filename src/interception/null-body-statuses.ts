/** Statuses whose responses have no body; a Response cannot be built with one (fetch standard, null body status). */
export const nullBodyStatuses: ReadonlySet<number> = new Set([101, 103, 204, 205, 304])
