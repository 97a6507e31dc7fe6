import { describe, expect, it } from 'vitest'
import type { TraceEvent, TraceInput } from '../../../shared/model/trace-event.ts'
import { fakeStaticPod } from '../../kubelet/pod/fake-pod.ts'
import { podSubject } from '../../kubelet/pod/identity.ts'
import { MirrorHistory } from './mirror-history.ts'

const subject = podSubject(fakeStaticPod())

function setUp() {
  const history = new MirrorHistory()
  let seq = 0
  const take = (input: TraceInput): void => {
    const event: TraceEvent = { ...input, seq: ++seq, at: seq * 10, cluster: 'sandbox', node: 'n' }
    history.take(event)
  }
  const texts = (name = 'web-node'): readonly string[] =>
    history.of('default', name).map(({ kind, text }) => `${kind}: ${text}`)
  return { history, take, texts }
}

function skipped(message: string): TraceInput {
  return { kind: 'mirror.skipped', subject, causes: [], data: { message } }
}

describe('MirrorHistory', () => {
  it('keeps the history of a full name when the static UID changes', () => {
    const { history, take } = setUp()
    const replacement = podSubject(fakeStaticPod({ uid: 'static-2' }))
    take({
      kind: 'mirror.created',
      subject,
      causes: [],
      data: { mirrorUid: 'm1', why: 'missing' },
    })
    take({
      kind: 'uid.linked',
      subject,
      causes: [],
      data: { mirrorUid: 'm1', staticUid: 'static-1' },
    })
    take({
      kind: 'mirror.deleted',
      subject: replacement,
      causes: [],
      data: { mirrorUid: 'm1', why: 'stale' },
    })
    take({
      kind: 'uid.unlinked',
      subject,
      causes: [],
      data: { mirrorUid: 'm1', staticUid: 'static-1' },
    })
    take({
      kind: 'mirror.created',
      subject: replacement,
      causes: [],
      data: { mirrorUid: 'm2', why: 'replaced' },
    })
    expect(history.of('default', 'web-node')).toEqual([
      {
        seq: 5,
        at: 50,
        kind: 'created',
        mirrorUid: 'm2',
        staticUid: 'static-2',
        text: 'Recreated after the previous one was deleted.',
      },
      {
        seq: 4,
        at: 40,
        kind: 'unlinked',
        mirrorUid: 'm1',
        staticUid: 'static-1',
        text: 'The pod manager no longer maps its UID: the mirror is gone from the API.',
      },
      {
        seq: 3,
        at: 30,
        kind: 'deleted',
        mirrorUid: 'm1',
        staticUid: 'static-2',
        text: 'Deleted: created from another version of the manifest.',
      },
      {
        seq: 2,
        at: 20,
        kind: 'linked',
        mirrorUid: 'm1',
        staticUid: 'static-1',
        text: 'The pod manager maps its UID to the static pod’s: they share a name.',
      },
      {
        seq: 1,
        at: 10,
        kind: 'created',
        mirrorUid: 'm1',
        staticUid: 'static-1',
        text: 'Created: no mirror existed.',
      },
    ])
  })

  it('records a mirror that housekeeping deletes, though only its name is known', () => {
    const { take, texts } = setUp()
    take({
      kind: 'mirror.deleted',
      subject: { kind: 'object', resource: 'pods', namespace: 'default', name: 'old', uid: '' },
      causes: [],
      data: { mirrorUid: '', why: 'orphan' },
    })
    expect(texts('old')).toEqual([
      'deleted: Deleted by housekeeping: the node had no static pod of its name.',
    ])
    expect(texts()).toEqual([])
  })

  it('records a failure once, not at each sync that repeats it', () => {
    const { take, texts } = setUp()
    take(skipped('not created: the node is not in the API'))
    take(skipped('not created: the node is not in the API'))
    take({
      kind: 'mirror.failed',
      subject,
      causes: [],
      data: { act: 'create', message: 'no such namespace.' },
    })
    take(skipped('not created: the node is not in the API'))
    expect(texts()).toEqual([
      'skipped: Not created: the node is not in the API.',
      'failed: Not created: no such namespace.',
      'skipped: Not created: the node is not in the API.',
    ])
  })

  it('keeps fifty entries of a name, and the thousand names that changed last', () => {
    const { take, texts } = setUp()
    for (let index = 0; index < 60; index++) take(skipped(`not created: try ${index}`))
    expect(texts()).toHaveLength(50)
    expect(texts()[0]).toBe('skipped: Not created: try 59.')
    for (let index = 0; index < 1000; index++)
      take({
        kind: 'mirror.created',
        subject: { ...subject, name: `p${index}` },
        causes: [],
        data: { mirrorUid: 'm', why: 'missing' },
      })
    expect(texts()).toEqual([])
    expect(texts('p0')).toHaveLength(1)
  })
})
