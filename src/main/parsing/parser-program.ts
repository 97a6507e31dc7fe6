import { parentPort } from 'node:worker_threads'
import { parseText } from './kubernetes-text.ts'

// Only the first error's message is used; stacks of thousands of errors are slow.
Error.stackTraceLimit = 0

parentPort?.on('message', (text: string) => {
  // The deadline begins now and does not include the start of the thread.
  parentPort?.postMessage('begun')
  parentPort?.postMessage(parseText(text))
})
