import { once } from 'node:events'
import { readFile, readdir } from 'node:fs/promises'

/** Linux counts processor time in hundredths of a second, on every machine that Node runs on. */
const ticksPerSecond = 100

/** Processor time of a process so far, with that of its threads, in seconds. */
export async function cpuSeconds(pid) {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The name, in brackets, may have blanks; the 14th and 15th fields are user and system time.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

/** The peak resident memory of a process, in MB of a million bytes. */
export async function peakMemoryMb(pid) {
  const text = await readFile(`/proc/${pid}/status`, 'utf8')
  return (Number(/^VmHWM:\s+(\d+) kB$/m.exec(text)?.[1]) * 1024) / 1e6
}

/** The child of this process that runs the named program. */
export async function childNamed(name) {
  const tasks = await readdir(`/proc/${process.pid}/task`)
  const lists = tasks.map((task) =>
    readFile(`/proc/${process.pid}/task/${task}/children`, 'utf8').catch(() => ''),
  )
  const pids = (await Promise.all(lists)).join(' ').split(' ').filter(Boolean)
  for (const pid of pids) {
    const program = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')
    if (program.trim() === name) return Number(pid)
  }
  throw new Error(`${name} is no child of this process`)
}

/** The answer of a child that imports tell-figures.mjs. */
export async function ask(child, message) {
  child.send(message)
  const [answer] = await once(child, 'message')
  return answer
}
