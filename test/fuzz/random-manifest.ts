import { stringify } from 'yaml'
import type { RandomPicker } from '../random-picker.ts'
import { hostileTexts, mutate } from './hostile-values.ts'

function pod(pick: RandomPicker): unknown {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `fuzz-${pick.below(50)}`, labels: { app: 'a' }, annotations: {} },
    spec: {
      containers: [
        {
          name: 'c',
          image: 'registry.example/app:1',
          command: ['sh', '-c', 'sleep 5; exit 1'],
          env: [
            { name: 'A', value: 'x' },
            { name: 'B', value: '$(A)$(A)' },
          ],
          resources: { limits: { cpu: '100m' } },
          ports: [{ containerPort: 80 }],
        },
      ],
      volumes: [{ name: 'v', emptyDir: {} }],
    },
  }
}

function mutated(pick: RandomPicker): unknown {
  let value = pod(pick)
  for (let count = 1 + pick.below(5); count > 0; count--) value = mutate(pick, value)
  return value
}

function written(value: unknown, isJson: boolean): string {
  try {
    return isJson ? (JSON.stringify(value) ?? '') : stringify(value)
  } catch {
    // Deeper than the writer goes.
    return '- '.repeat(5000)
  }
}

function damaged(pick: RandomPicker, text: string): Buffer {
  const bytes = Buffer.from(text)
  for (let count = 1 + pick.below(8); count > 0; count--)
    bytes[pick.below(bytes.length)] = pick.below(256)
  return bytes
}

function withAnnotations(count: number): string {
  const lines = Array.from({ length: count }, (_, index) => `    key-${index}: "${index}"`)
  return `apiVersion: v1\nkind: Pod\nmetadata:\n  name: many\n  annotations:\n${lines.join('\n')}\nspec:\n  containers:\n  - {name: c, image: i}\n`
}

const repeated = [
  '[',
  '{',
  '"',
  "'",
  '- ',
  '? ',
  ': ',
  '&a ',
  '*a ',
  '!!a ',
  '#\n',
  '\n',
  '|\n',
  '%\n',
  '---\n',
  'a: b\n',
  '\\x',
  '$(',
  '\u001b[2J',
  '\t',
]

/** The bytes of a malicious manifest; some are valid. */
export function randomManifest(pick: RandomPicker): Buffer {
  switch (pick.below(12)) {
    case 0:
      return Buffer.from(written(pod(pick), pick.percent(50)))
    case 1:
    case 2:
    case 3:
      return Buffer.from(written(mutated(pick), pick.percent(50)))
    case 4:
    case 5:
      return damaged(pick, written(pod(pick), pick.percent(50)))
    case 6:
      return Buffer.from(pick.of(repeated).repeat(pick.of([10, 5000, 200_000])))
    case 7:
      return Buffer.from(withAnnotations(pick.of([10, 1000, 10_000, 40_000])))
    case 8: {
      const lines = Array.from({ length: 12 }, (_, index) =>
        index === 0
          ? 'a0: &a0 [x,x,x]'
          : `a${index}: &a${index} [${Array(9)
              .fill(`*a${index - 1}`)
              .join()}]`,
      )
      return Buffer.from(pick.percent(50) ? lines.join('\n') : 'a: &a {b: *a}\n')
    }
    case 9:
      return Buffer.from(`apiVersion: v1\nkind: ${'K'.repeat(pick.of([300, 500_000]))}\n`)
    case 10: {
      const env = Array.from({ length: 30 }, (_, index) => ({
        name: `E${index + 1}`,
        value: index === 0 ? 'x'.repeat(100) : `$(E${index})$(E${index})`,
      }))
      const value = pod(pick) as { spec: { containers: Record<string, unknown>[] } }
      Object.assign(value.spec.containers[0] ?? {}, { env })
      return Buffer.from(written(value, true))
    }
    default:
      return pick.percent(50) ? pick.bytes(pick.below(3000)) : Buffer.from(pick.of(hostileTexts))
  }
}
