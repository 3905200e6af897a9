import { callValue } from '../calls/call-value.ts'
import { sessionOfCall } from '../calls/session-of-call.ts'
import type { AnyFunction } from '../calls/value-codec.ts'
import { copyWith, isClass, isPlainObject, type Members } from './members.ts'
import { recordedFunction } from './recorded-function.ts'
import { recordedExport } from './recorded-tools.ts'
import type { ToolCall } from './tool-call.ts'

/**
 * The module's exports with every function recorded under the export's name, functions in an exported object under
 * `export.member`, tools of frameworks as `tape.tools` does it. Classes and all other values stay. In which test a call
 * is, is looked up at each call; in none that is covered, the real function runs.
 */
export function recordedModule<M extends object>(module: M): M {
  const exported = Object.entries(module).map(([name, value]) => [name, recordedMember(name, value)])
  return copyWith(module, Object.fromEntries(exported))
}

function recordedMember(name: string, value: unknown): unknown {
  const known = recordedExport(value, name, recordHere) ?? recordedCallable(name, value)
  if (known !== undefined || !isPlainObject(value)) return known ?? value
  return copyWith(value, recordedMembers(name, value))
}

function recordedMembers(name: string, value: Members): Members {
  const members = Object.entries(value).map(([key, member]) => [
    key,
    recordedExport(member, key, recordHere) ?? recordedCallable(`${name}.${key}`, member) ?? member,
  ])
  return Object.fromEntries(members)
}

function recordedCallable(name: string, value: unknown): unknown {
  if (typeof value !== 'function' || isClass(value)) return undefined
  return recordedFunction(value as AnyFunction, { name, record: recordHere })
}

function recordHere(call: ToolCall): unknown {
  const session = sessionOfCall({ call: `tool ${call.name}`, outside: 'runs' })
  return session === undefined ? call.live() : callValue(session, { kind: 'tool', ...call })
}
