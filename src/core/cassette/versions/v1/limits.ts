/** The limits of version 1. What is written may keep to tighter ones; what is read must never. */

/** Events of one stream. */
export const maxEvents = 262_144

/** Requests that are each told by the one before. */
export const maxLikeDepth = 1024

/** Edits of one request. */
export const maxEdits = 256

/** Blanks after a value, and before its last bracket. */
export const maxTailLength = 256

/** Numbers of one value that are spelled otherwise. */
export const maxOddNumbers = 512

/** Steps of a pointer. */
export const maxPointerSteps = 256
