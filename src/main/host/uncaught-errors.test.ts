import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { FakeLog } from '../kubelet/container/fake-log.ts'
import { errorFields, logUncaughtErrors } from './uncaught-errors.ts'

describe('logUncaughtErrors', () => {
  it('logs uncaught errors and keeps the program running', () => {
    const source = new EventEmitter()
    const log = new FakeLog()
    logUncaughtErrors(source, log)
    const error = new Error('boom')
    source.emit('uncaughtException', error)
    source.emit('unhandledRejection', 'just a string')
    expect(log.lines).toEqual([
      {
        level: 'error',
        message: 'uncaught exception',
        fields: { error: 'boom', stack: error.stack },
      },
      { level: 'error', message: 'unhandled rejection', fields: { error: 'just a string' } },
    ])
  })
})

describe('errorFields', () => {
  it('accept any thrown value', () => {
    const bare = new Error('x')
    Object.defineProperty(bare, 'stack', { value: undefined })
    expect(errorFields(bare)).toEqual({ error: 'x' })
    expect(errorFields(undefined)).toEqual({ error: 'undefined' })
  })
})
