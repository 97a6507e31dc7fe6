import protobuf from 'protobufjs/light.js'
import { enums, messages } from './cri-schema.ts'
import type { MessageName } from './cri-schema.ts'

const fieldPattern = /^(\w+)=(\d+)(?::(\*?)(\w+))?$/

function fieldOf(text: string): protobuf.FieldBase {
  const [, name = '', number = '', list = '', type = 'string'] = fieldPattern.exec(text) ?? []
  const id = Number(number)
  if (type === 'map') return new protobuf.MapField(name, id, 'string', 'string')
  return new protobuf.Field(name, id, type, list === '' ? undefined : 'repeated')
}

function readSchema(): ReadonlyMap<string, protobuf.Type> {
  const root = new protobuf.Root()
  for (const [name, values] of Object.entries(enums))
    root.add(
      new protobuf.Enum(name, Object.fromEntries(values.map((value, index) => [value, index]))),
    )
  const types = new Map<string, protobuf.Type>()
  for (const [name, fields] of Object.entries(messages)) {
    const type = new protobuf.Type(name)
    for (const field of fields.split(' ').filter(Boolean)) type.add(fieldOf(field))
    root.add(type)
    types.set(name, type)
  }
  root.resolveAll()
  return types
}

const types = readSchema()

function typeOf(name: MessageName): protobuf.Type {
  const type = types.get(name)
  if (type === undefined) throw new Error(`no message ${name}`)
  return type
}

/** The message as a plain object. Lists and maps are there when they are empty; other fields only when they were sent. Throws for what is no message. */
export function decodeMessage(name: MessageName, bytes: Uint8Array): unknown {
  const type = typeOf(name)
  return type.toObject(type.decode(bytes), {
    longs: Number,
    enums: String,
    arrays: true,
    objects: true,
  })
}

/** Enums are names; a 64-bit number is a number, or a `nanoseconds` of it. Throws for a value of another type. */
export function encodeMessage(name: MessageName, message: object): Buffer {
  const type = typeOf(name)
  return Buffer.from(type.encode(withEnumNumbers(type, message)).finish())
}

type Fields = Readonly<Record<string, unknown>>

function withEnumNumbers(type: protobuf.Type, message: object): Record<string, unknown> {
  const numbered: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(message)) {
    const field = type.fields[key]
    if (field === undefined || value === undefined) continue
    numbered[key] = Array.isArray(value)
      ? value.map((item: unknown) => numberedValue(field, item))
      : numberedValue(field, value)
  }
  return numbered
}

function numberedValue({ resolvedType }: protobuf.Field, value: unknown): unknown {
  if (resolvedType instanceof protobuf.Enum) return resolvedType.values[String(value)]
  return resolvedType instanceof protobuf.Type && typeof value === 'object' && value !== null
    ? withEnumNumbers(resolvedType, value as Fields)
    : value
}

const nanosecondsOfMs = 1_000_000n

/** CRI's nanoseconds of a time in ms, exact beyond the numbers that JavaScript has: the two halves that protobufjs takes. */
export function nanoseconds(ms: number): { readonly low: number; readonly high: number } {
  const whole = BigInt(Math.round(ms * 1000)) * (nanosecondsOfMs / 1000n)
  return { low: Number(BigInt.asIntN(32, whole)), high: Number(BigInt.asIntN(32, whole >> 32n)) }
}
