import { readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** The log of a real kubelet v1.34.4 with eight pods, 25 s and a restart: `test/kube/kubelet-log` wrote it. */
function realLog(level: 2 | 4): string {
  const folder = join(process.cwd(), 'test', 'kubelet-log')
  return gunzipSync(readFileSync(join(folder, `v${level}.log.gz`))).toString('latin1')
}

const copyMs = 30_000
const start = Date.UTC(2026, 9, 1)
const uid = /\b([0-9a-f]{8})(-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{24})\b/g

/** The log again with pods and times of its own: `copy` counts the repetitions. */
function copyOf(text: string, copy: number): string {
  const from = new Date(start + copy * copyMs)
  const stamp = (line: string): string => {
    const second = Number(line.slice(3, 5)) % 60
    const at = new Date(from.getTime() + second * 500).toISOString()
    return `${at.slice(5, 7)}${at.slice(8, 10)} ${at.slice(11, 19)}`
  }
  const own = copy.toString(16).padStart(8, '0')
  return text
    .replaceAll(
      /^([IWEF])\d{4} \d\d:(\d\d:\d\d)/gm,
      (_all, severity: string, time: string) => `${severity}${stamp(time)}`,
    )
    .replaceAll(uid, (_all, _first: string, rest: string) => `${own}${rest}`)
    .replaceAll(/"(seen|usual)\//g, `"ns-${copy}/`)
}

/** Writes a log of at least so many bytes: a real one, repeated with other pods and later times. */
export async function writeGrownLog(path: string, level: 2 | 4, bytes: number): Promise<void> {
  const text = realLog(level)
  const file = await open(path, 'w')
  for (let copy = 0, size = 0; size < bytes; copy++) {
    const piece = Buffer.from(copyOf(text, copy), 'latin1')
    await file.write(piece)
    size += piece.length
  }
  await file.close()
}
