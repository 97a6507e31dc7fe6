import { expect, it } from 'vitest'
import { err, ok } from '../../shared/result.ts'
import { annotatedManifest } from './annotated-manifest.ts'

const bare = '# mine\nkind: Pod\nmetadata:\n  name: web # here\n'
const set = `${bare}  annotations:\n    a/b: "true"\n`

it('sets an annotation and keeps comments and order', () => {
  expect(annotatedManifest(bare, 'a/b', 'true')).toEqual(ok(set))
  expect(annotatedManifest(set, 'a/b', 'true')).toEqual(ok(set))
})

it('removes it, and the map if nothing is left in it', () => {
  expect(annotatedManifest(set, 'a/b', null)).toEqual(ok(bare))
  expect(annotatedManifest(`${set}    c: d\n`, 'a/b', null)).toEqual(
    ok(`${bare}  annotations:\n    c: d\n`),
  )
})

it('reads JSON, which is YAML', () => {
  const changed = annotatedManifest('{"kind":"Pod","metadata":{"name":"web"}}', 'a', '3')
  expect(changed.ok && JSON.parse(changed.value)).toEqual({
    kind: 'Pod',
    metadata: { name: 'web', annotations: { a: '3' } },
  })
})

it.each([
  ['kind: PodList\n', 'The manifest is not a Pod, so the annotation cannot be set here.'],
  ['a: b: c\n', 'The manifest cannot be read as one YAML document.'],
  ['kind: Pod\n---\nkind: Pod\n', 'The manifest cannot be read as one YAML document.'],
])('refuses %j', (text, why) => {
  expect(annotatedManifest(text, 'a', 'b')).toEqual(err(why))
})
