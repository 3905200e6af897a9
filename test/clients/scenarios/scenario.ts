/** What the test files of the projects share: the plan they are given, and the file they write what they saw to. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'

interface Planned {
  /** The corpus server of this scenario. */
  readonly url: string
  /** The first recorded request body of its file: what a real client sent. */
  readonly body: any
}

const plan = JSON.parse(readFileSync('plan.json', 'utf8')) as Readonly<Record<string, Planned>>
const folder = `seen-${process.env.RUN}`

export function planned(name: string): Planned {
  const found = plan[name]
  if (found === undefined) throw new Error(`no scenario ${name}`)
  return found
}

/** Writes what a client showed. */
export function keep(name: string, seen: object): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/${name}.json`, JSON.stringify(seen))
}

/** A tool that really runs, and says the same each time. */
export class Tools {
  readonly ran: { readonly name: string; readonly input: unknown }[] = []

  run(name: string, input: unknown): string {
    this.ran.push({ name, input })
    return `${name} ran as call ${this.ran.length}`
  }
}

/** What user code can tell of an error. */
export async function errorOf(call: () => Promise<unknown>): Promise<object> {
  try {
    return { passed: await call() }
  } catch (error) {
    const { name, message, status, statusCode, code, type, requestID } = error as any
    return { class: classOf(error), name, message, status, statusCode, code, type, requestID }
  }
}

export function classOf(error: unknown): string {
  return (error as object).constructor.name
}
