import { describe, expect, it } from 'vitest'
import { runtimeCallNames } from '../model/node/node-faults.ts'
import { guardRequest } from './guards.ts'
import { maxGraceSeconds, maxKeyLength, maxLogDetail, maxLogMessage } from './limits.ts'

const key = 'sandbox/scope-node-1/4db90dbbbce93ceba5f383ef323ded3f'

const failCall = {
  cluster: 'c',
  node: 'n',
  act: 'failCall',
  shutdownGraceSeconds: null,
  criticalGraceSeconds: null,
}

describe('guardRequest', () => {
  const good: readonly (readonly [string, unknown])[] = [
    ['view.open', {}],
    ['view.acknowledge', { epoch: 'e1', number: 0 }],
    ['view.acknowledge', { epoch: 'e1', number: Number.MAX_SAFE_INTEGER }],
    ['pod.watch', { key }],
    ['pod.watch', { key: null }],
    ['pod.describe', { key: 'k'.repeat(maxKeyLength) }],
    ['uid.translate', { cluster: 'sandbox', uid: 'ea03f05c-548a-4e40-a20c-58c2c8996764' }],
    ['pod.kill', { key, gracePeriodSeconds: null }],
    ['pod.kill', { key, gracePeriodSeconds: 0 }],
    ['pod.kill', { key, gracePeriodSeconds: maxGraceSeconds }],
    ['pod.restartContainer', { key, container: 'c', gracePeriodSeconds: 5 }],
    ['pod.setBehavior', { key, container: '', name: 'probes', value: 'fail' }],
    ['pod.setBehavior', { key, container: 'c', name: 'memory', value: null }],
    ['pod.evictByKubelet', { key }],
    ['pod.evictThroughApi', { key, gracePeriodSeconds: 30 }],
    ['node.act', { ...failCall, call: { call: 'PullImage', how: 'hangs', pod: null } }],
    [
      'node.act',
      {
        ...failCall,
        call: { call: 'StopContainer', how: 'fails', pod: { namespace: 'default', name: 'web' } },
      },
    ],
    ['log.write', { level: 'error', message: 'm'.repeat(maxLogMessage), detail: '' }],
  ]
  it.each(good)('lets %s %j pass', (name, args) => {
    expect(guardRequest(name, args)).toEqual({ ok: true, value: { name, args } })
  })

  const badArgs: readonly (readonly [string, unknown, string])[] = [
    ['view.open', undefined, 'args must be an object'],
    ['view.open', null, 'args must be an object'],
    ['view.open', [], 'args must be an object'],
    ['view.open', 'x', 'args must be an object'],
    ['view.open', new Date(0), 'args must be an object'],
    ['view.open', { extra: 1 }, 'args has an unknown field extra'],
    ['view.acknowledge', { epoch: 'e1' }, 'args lacks number'],
    ['view.acknowledge', { epoch: '', number: 1 }, 'epoch must not be empty'],
    [
      'view.acknowledge',
      { epoch: 'e1', number: -1 },
      'number must be a whole number from 0 to 9007199254740991',
    ],
    [
      'view.acknowledge',
      { epoch: 'e1', number: '1' },
      'number must be a whole number from 0 to 9007199254740991',
    ],
    ['node.act', failCall, 'args lacks call'],
    ['node.act', { ...failCall, call: 'StopContainer' }, 'call must be an object'],
    [
      'node.act',
      { ...failCall, call: { call: 'status', how: 'fails', pod: null } },
      `call must be one of ${runtimeCallNames.join(', ')}`,
    ],
    [
      'node.act',
      { ...failCall, call: { call: 'Status', how: 'fails', pod: { name: 'web' } } },
      'pod lacks namespace',
    ],
    ['pod.watch', { key: 7 }, 'key must be a string'],
    ['pod.watch', { key: undefined }, 'key must be a string'],
    ['pod.describe', { key: null }, 'key must be a string'],
    ['pod.describe', { key: '' }, 'key must not be empty'],
    ['pod.describe', { key: 'k'.repeat(maxKeyLength + 1) }, 'key is longer than 800 characters'],
    ['pod.describe', { key: { toString: () => key } }, 'key must be a string'],
    ['uid.translate', { cluster: 'c', uid: 'u'.repeat(254) }, 'uid is longer than 253 characters'],
    [
      'pod.kill',
      { key, gracePeriodSeconds: -1 },
      'gracePeriodSeconds must be a whole number from 0 to 31536000',
    ],
    [
      'pod.kill',
      { key, gracePeriodSeconds: 31_536_001 },
      'gracePeriodSeconds must be a whole number from 0 to 31536000',
    ],
    [
      'pod.kill',
      { key, gracePeriodSeconds: 1.5 },
      'gracePeriodSeconds must be a whole number from 0 to 31536000',
    ],
    [
      'pod.kill',
      { key, gracePeriodSeconds: Number.NaN },
      'gracePeriodSeconds must be a whole number from 0 to 31536000',
    ],
    ['pod.kill', { key }, 'args lacks gracePeriodSeconds'],
    ['pod.restartContainer', { key, gracePeriodSeconds: 5 }, 'args lacks container'],
    [
      'pod.setBehavior',
      { key, container: 'c', name: 'other', value: null },
      'name must be one of probes, memory, cpu, out-of-memory, start-delay, run-time, exit-code, ignore-sigterm, log-rate, log-size, disk, inodes, processes',
    ],
    [
      'pod.evictByKubelet',
      { key, gracePeriodSeconds: 1 },
      'args has an unknown field gracePeriodSeconds',
    ],
    [
      'pod.evictThroughApi',
      { key, gracePeriodSeconds: true },
      'gracePeriodSeconds must be a whole number from 0 to 31536000',
    ],
    ['log.write', { level: 'debug', message: '', detail: '' }, 'level must be one of warn, error'],
    [
      'log.write',
      { level: 'warn', message: 'm'.repeat(maxLogMessage + 1), detail: '' },
      'message is longer than 4000 characters',
    ],
    [
      'log.write',
      { level: 'warn', message: '', detail: 'd'.repeat(maxLogDetail + 1) },
      'detail is longer than 64000 characters',
    ],
  ]
  it.each(badArgs)('refuses %s %j', (name, args, why) => {
    expect(guardRequest(name, args)).toEqual({
      ok: false,
      error: `The request ${name} is malformed: ${why}.`,
    })
  })

  const badNames: readonly (readonly [unknown, string])[] = [
    [undefined, 'A request needs a name.'],
    [7, 'A request needs a name.'],
    [['view.open'], 'A request needs a name.'],
    ['', 'There is no request "".'],
    ['view.close', 'There is no request "view.close".'],
    ['__proto__', 'There is no request "__proto__".'],
    ['constructor', 'There is no request "constructor".'],
    ['toString', 'There is no request "toString".'],
    ['x'.repeat(500), `There is no request "${'x'.repeat(80)}".`],
  ]
  it.each(badNames)('refuses the unknown request %j', (name, error) => {
    expect(guardRequest(name, {})).toEqual({ ok: false, error })
  })

  it('does not take a field from the prototype', () => {
    const inherited: unknown = Object.create({ key })
    expect(guardRequest('pod.describe', inherited)).toEqual({
      ok: false,
      error: 'The request pod.describe is malformed: args must be an object.',
    })
  })

  it('refuses __proto__ as a field of its own', () => {
    const parsed: unknown = JSON.parse(`{"key":"${key}","__proto__":{"admin":true}}`)
    expect(guardRequest('pod.describe', parsed)).toEqual({
      ok: false,
      error: 'The request pod.describe is malformed: args has an unknown field __proto__.',
    })
  })

  it('never runs a getter of the arguments', () => {
    let reads = 0
    const args = Object.defineProperty({}, 'key', {
      enumerable: true,
      get: () => {
        reads++
        return key
      },
    })
    expect(guardRequest('pod.describe', args)).toEqual({
      ok: false,
      error: 'The request pod.describe is malformed: key must be a string.',
    })
    expect(reads).toBe(0)
  })

  it('returns a copy, so that later changes to the original have no effect', () => {
    const args = { key, gracePeriodSeconds: 5 }
    const guarded = guardRequest('pod.kill', args)
    args.gracePeriodSeconds = -1
    expect(guarded).toEqual({
      ok: true,
      value: { name: 'pod.kill', args: { key, gracePeriodSeconds: 5 } },
    })
  })
})
