/** File system errors in words. Never their own messages: those hold absolute paths. */

export function errorCode(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined
}

/** Nothing is there: no file, or a parent that is no folder. */
export function isMissing(error: unknown): boolean {
  const code = errorCode(error)
  return code === 'ENOENT' || code === 'ENOTDIR'
}

export function faultReason(error: unknown): string {
  const code = errorCode(error)
  if (code === undefined) return 'unknown error'
  return Object.hasOwn(reasons, code) ? `${reasons[code]} (${code})` : code
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'it is larger than a file may be here',
  EISDIR: 'a folder is in its place',
  EMFILE: 'too many open files',
  ENAMETOOLONG: 'the name is too long for this file system',
  ENOSPC: 'no space left on the device',
  ENOTDIR: 'a file is in the place of a folder',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
}
