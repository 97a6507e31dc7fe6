// Outlives its parent: when the pipe from it ends without a final message, as after a SIGKILL,
// it kills the listed processes and removes the folder.
import { rmSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [folder] = process.argv.slice(2)
const running = new Set()
let isFarewell = false

// Ctrl-C reaches the whole group; the parent handles it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const [word, pid] = line.split(' ')
    if (word === 'started') running.add(Number(pid))
    else if (word === 'ended') running.delete(Number(pid))
    else if (word === 'farewell') isFarewell = true
  })
  .on('close', () => {
    if (isFarewell) return
    for (const pid of running) kill(pid)
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  })
