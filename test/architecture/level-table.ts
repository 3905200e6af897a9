/**
 * The levels of `src`: a folder imports from lower levels only, type-only imports included, never sideways.
 * The one place that says so: the architecture tests hold it, and `docs/architecture.md` quotes it.
 */

export interface Level {
  readonly level: number
  /** Folders below `src`; `*` stands for each subfolder by itself. `index` is `src/index.ts`. */
  readonly folders: readonly string[]
  readonly task: string
}

export const levels: readonly Level[] = [
  {
    level: 5,
    folders: ['index', 'runners/*', 'mcp', 'cli', 'demo'],
    task: 'what a user imports or starts; the only level that knows a test runner or a terminal',
  },
  { level: 4, folders: ['session'], task: "one test's life: mode, queue, first divergence, commit or pending" },
  {
    level: 3,
    folders: ['recording', 'replaying', 'trajectory'],
    task: 'live traffic into interactions; interactions into answers that look live, and into turns that people read',
  },
  {
    level: 2,
    folders: ['store', 'redaction', 'wire', 'divergence', 'interception'],
    task: 'one trade each: files, secrets, provider formats, explaining a difference, the roads of a call',
  },
  {
    level: 1,
    folders: ['core/*'],
    task: 'decides; plain data in and out: no file, clock, chance, environment or network',
  },
  { level: 0, folders: ['errors'], task: 'the codes, their details and their messages' },
]

/** The one level whose folders may import each other, as long as no circle comes of it. */
export const acyclicLevel = 1

/** Folders that must be pure: the same answer for the same arguments, and no effect. */
const pureFolders: readonly string[] = ['errors', 'core/*']

/**
 * The folder that a file of `src` counts for. The document is a unit of its own: hashing needs its types, and the codec
 * beside it needs hashing.
 */
export function folderOf(file: string): string {
  if (file === 'src/core/cassette/document.ts') return 'core/document'
  const [, first = '', second = ''] = file.split('/')
  if (first.endsWith('.ts')) return first.slice(0, -'.ts'.length)
  return levels.some(({ folders }) => folders.includes(`${first}/*`)) ? `${first}/${second}` : first
}

/** The level of a folder; undefined where the table does not know it. */
export function levelOf(folder: string): number | undefined {
  return levels.find(({ folders }) => folders.some((pattern) => matchesFolder({ folder, pattern })))?.level
}

export function isPure(folder: string): boolean {
  return pureFolders.some((pattern) => matchesFolder({ folder, pattern }))
}

/** The table as Markdown, for `docs/architecture.md`. */
export function levelTable(): string {
  const rows = levels.map(({ level, folders, task }) => {
    return `| ${level} | ${folders.map((folder) => `\`${folder}\``).join(' ')} | ${task} |`
  })
  return ['| level | folders of `src` | task |', '| --- | --- | --- |', ...rows].join('\n')
}

function matchesFolder({ folder, pattern }: { readonly folder: string; readonly pattern: string }): boolean {
  return pattern.endsWith('/*') ? folder.startsWith(pattern.slice(0, -1)) : folder === pattern
}
