import type { AnyCodec, AnyFunction } from '../calls/value-codec.ts'
import { recordedArguments } from './recorded-arguments.ts'
import type { RecordTool, ToolCall } from './tool-call.ts'

interface RecordedFunctionInit {
  readonly name: string
  readonly record: RecordTool
  readonly options?: (AnyCodec & { readonly input?: ((...args: never) => unknown) | undefined }) | undefined
  /** Which arguments count, and the call's id; default `recordedArguments`. */
  readonly argumentsOf?: (args: readonly unknown[]) => Pick<ToolCall, 'input' | 'callId'>
}

/** The same function, recorded: keeps name, length, `this` and every other property, since it is a proxy of it. */
export function recordedFunction<F extends AnyFunction>(fn: F, init: RecordedFunctionInit): F {
  const { name, record, options, argumentsOf = recordedArguments } = init
  return new Proxy(fn, {
    apply(target, self: unknown, args: unknown[]) {
      const known = argumentsOf(args)
      const input = options?.input === undefined ? known.input : options.input(...(args as never))
      const live = (): unknown => Reflect.apply(target, self, args)
      return record({ name, input, callId: known.callId, codec: options, live })
    },
  })
}
