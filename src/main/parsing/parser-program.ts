import { parentPort } from 'node:worker_threads'
import { parseText } from './kubernetes-text.ts'

// Each of a text's errors would carry a stack, of which nobody reads more than the first one's message.
Error.stackTraceLimit = 0

parentPort?.on('message', (text: string) => {
  // The deadline begins now: the start of the thread is no part of it.
  parentPort?.postMessage('begun')
  parentPort?.postMessage(parseText(text))
})
