import { describe, expect, it } from 'vitest'
import { nodeHash } from '../clock/node-hash.ts'
import type { StaticPodOrigin } from '../kubelet/pod/static-pod.ts'
import { parseText } from '../parsing/kubernetes-text.ts'
import { readStaticPods } from './static-pod-list.ts'
import { readStaticPod } from './static-pod-manifest.ts'

const origin: StaticPodOrigin = {
  source: 'http',
  nodeName: 'n1',
  location: 'http://h/pods',
  hash: nodeHash,
}

function pod(name: string, more = ''): string {
  return `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "${name}"${more}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}`
}

function list(...items: readonly string[]): string {
  return `{"apiVersion": "v1", "kind": "PodList", "items": [${items.join(',')}]}`
}

function names(text: string): readonly string[] | string {
  const reading = readStaticPods(parseText(text), origin)
  return reading.ok ? reading.value.pods.map((one) => one.metadata.name) : reading.error.message
}

describe('readStaticPods', () => {
  it('reads one Pod, as JSON or YAML', () => {
    expect(names(pod('a'))).toEqual(['a-n1'])
    expect(
      names(
        'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: c, image: i}]}',
      ),
    ).toEqual(['a-n1'])
  })

  it('reads a PodList, whose items may omit apiVersion and kind', () => {
    expect(
      names(
        list(
          pod('a'),
          '{"metadata":{"name":"b"},"spec":{"containers":[{"name":"c","image":"i"}]}}',
        ),
      ),
    ).toEqual(['a-n1', 'b-n1'])
    expect(names(list())).toEqual([])
    expect(names('{"apiVersion": "v1", "kind": "PodList"}')).toEqual([])
  })

  it('gives a pod another UID than a file with the same content, and no toleration of every NoExecute taint', () => {
    const reading = readStaticPods(parseText(pod('a')), origin)
    const fromFile = readStaticPod(pod('a'), { ...origin, source: 'file' })
    if (!reading.ok || fromFile.kind !== 'pod') throw new Error('must be taken')
    const [fromUrl] = reading.value.pods
    expect(fromUrl?.metadata.uid).toMatch(/^[0-9a-f]{32}$/)
    expect(fromUrl?.metadata.uid).not.toBe(fromFile.pod.metadata.uid)
    expect(fromUrl?.spec.tolerations ?? []).toEqual([])
    expect(fromFile.pod.spec.tolerations).toHaveLength(1)
  })

  it('gives the pods of a list the same UIDs as single pods', () => {
    const alone = readStaticPods(parseText(pod('a')), origin)
    const listed = readStaticPods(parseText(list(pod('a'))), origin)
    if (!alone.ok || !listed.ok) throw new Error('must be taken')
    expect(listed.value.pods).toEqual(alone.value.pods)
  })

  const bad: readonly (readonly [string, string, string])[] = [
    [
      'one bad item',
      list(pod('a'), pod('B')),
      'Item 2 of the list: The pod is invalid: metadata.name: Invalid value: "B"',
    ],
    ['an item without a name', list('{}'), 'Item 1 of the list: The pod has no name'],
    ['an item that is no object', list('7'), 'Item 1 of the list is not an object.'],
    [
      'another kind',
      '{"kind": "List", "apiVersion": "v1"}',
      'This is a List; only a Pod or a PodList is accepted.',
    ],
    [
      'another version',
      '{"kind": "PodList", "apiVersion": "v2"}',
      'The apiVersion of a PodList must be v1.',
    ],
    [
      'items that are no list',
      '{"kind": "PodList", "apiVersion": "v1", "items": {}}',
      'The items of a PodList must be a list.',
    ],
    ['no kind', '{"apiVersion": "v1"}', 'The kind is missing'],
    ['no JSON', '{', 'This is not valid JSON'],
    ['text', 'Hello', 'This is not a Kubernetes object.'],
  ]
  it.each(bad)('refuses %s', (_what, text, message) => {
    const said = names(text)
    expect(typeof said === 'string' && said.slice(0, message.length)).toBe(message)
  })

  it('reports the position within the list', () => {
    const text = `apiVersion: v1\nkind: PodList\nitems:\n- metadata: {name: a}\n  spec:\n    containers: [{name: c}]\n`
    const reading = readStaticPods(parseText(text), origin)
    expect(reading).toMatchObject({ ok: false, error: { line: 6, column: 18 } })
  })
})
