import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import {
  freeName,
  manifestFrom,
  manifestTemplates,
  fileNameProblem,
  podNameOf,
} from './manifest-templates.ts'

describe('the templates', () => {
  it.each(manifestTemplates.map((template) => [template.id, template] as const))(
    '%s: is a valid pod with the given name',
    (_, template) => {
      const pod: unknown = parse(manifestFrom(template, 'trial'))
      expect(pod).toMatchObject({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'trial' } })
    },
  )
})

describe('a new file', () => {
  it('takes the next free name', () => {
    expect(freeName('web', [])).toBe('web.yaml')
    expect(freeName('web', ['web.yaml', 'web-2.yaml'])).toBe('web-3.yaml')
  })

  it.each([
    ['web.yaml', 'web'],
    ['My Pod_1.yml', 'my-pod-1'],
    ['---.yaml', 'pod'],
  ])('%s makes a pod called %s', (file, pod) => {
    expect(podNameOf(file)).toBe(pod)
  })

  it.each([
    ['', 'A file needs a name.'],
    ['.web.yaml', 'The kubelet ignores files whose name begins with a dot.'],
    ['a/b.yaml', 'A name cannot contain slashes or control characters.'],
    ['web.yaml', 'web.yaml exists already.'],
    ['other.yaml', ''],
  ])('called %j: %s', (name, error) => {
    expect(fileNameProblem(name, ['web.yaml'])).toBe(error)
  })
})
