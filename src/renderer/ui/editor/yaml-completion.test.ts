import { describe, expect, it } from 'vitest'
import { yamlOptions } from './yaml-completion.ts'

/** The options where `|` stands. */
function optionsAt(marked: string) {
  const at = marked.indexOf('|')
  return yamlOptions(marked.replace('|', ''), at)
}

function labels(marked: string): readonly string[] {
  return optionsAt(marked)?.options.map(({ label }) => label) ?? []
}

const head = 'apiVersion: apps/v1\nkind: Deployment\n'

describe('completion of Kubernetes YAML', () => {
  it('offers the kinds of a version and the versions of a kind', () => {
    expect(labels('apiVersion: apps/v1\nkind: D|')).toEqual(
      expect.arrayContaining(['DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet']),
    )
    expect(labels('apiVersion: apps/v1\nkind: |')).not.toContain('Pod')
    expect(labels('apiVersion: |\nkind: Deployment')).toEqual(['apps/v1'])
    expect(labels('|')).toEqual(['apiVersion', 'kind', 'metadata', 'spec'])
  })

  it('offers the fields of the object around the cursor that are not set yet', () => {
    const spec = labels(`${head}spec:\n  rep|\n  selector:\n    matchLabels: {}\n`)
    expect(spec).toEqual(expect.arrayContaining(['replicas', 'strategy', 'template']))
    expect(spec).not.toContain('selector')
    expect(labels(`${head}|`)).toEqual(['metadata', 'spec'])
  })

  it('begins the value of a field as its type needs it', () => {
    const inserted = (marked: string, label: string): string | undefined =>
      optionsAt(marked)?.options.find((option) => option.label === label)?.insert
    expect(inserted(`${head}spec:\n  |`, 'replicas')).toBe('replicas: ')
    expect(inserted(`${head}spec:\n  |`, 'template')).toBe('template:\n    ')
    const pod = `${head}spec:\n  template:\n    spec:\n      |`
    expect(inserted(pod, 'containers')).toBe('containers:\n      - ')
  })

  it('knows the elements of lists, in either indentation', () => {
    const above = `${head}spec:\n  template:\n    spec:\n      containers:\n`
    expect(labels(`${above}      - name: c\n        im|`)).toContain('imagePullPolicy')
    expect(labels(`${above}        - name: c\n          im|`)).toContain('image')
    expect(labels(`${above}      - name: c\n        im|`)).not.toContain('name')
    expect(labels(`${above}      - name: c\n      - |`)).toContain('name')
    expect(labels(`${above}      - ports:\n        - |`)).toContain('containerPort')
    expect(labels(`${above}      - name: c\n      rest|`)).toContain('restartPolicy')
  })

  it('offers the values of an enum and of a boolean', () => {
    const pod = 'apiVersion: v1\nkind: Pod\nspec:\n'
    expect(labels(`${pod}  restartPolicy: |`)).toEqual(['Always', 'Never', 'OnFailure'])
    expect(labels(`${pod}  hostNetwork: t|`)).toEqual(['true', 'false'])
    expect(optionsAt(`${pod}  restartPolicy: Al|`)?.from).toBe(
      pod.length + '  restartPolicy: '.length,
    )
  })

  it('reads each document by itself and passes over texts of several lines', () => {
    expect(labels(`${head}---\napiVersion: v1\nkind: Service\nspec:\n  ty|`)).toContain('type')
    const map = 'apiVersion: v1\nkind: ConfigMap\ndata:\n  a: |\n    spec:\n      x: 1\nimm'
    expect(yamlOptions(map, map.length)?.options.map(({ label }) => label)).toContain('immutable')
  })

  it('offers nothing in flow style, comments and fields without a schema', () => {
    expect(optionsAt(`${head}spec: {rep|`)).toBeUndefined()
    expect(optionsAt(`${head}# sp|`)).toBeUndefined()
    expect(optionsAt(`${head}metadata:\n  labels:\n    a|`)).toBeUndefined()
    expect(optionsAt(`${head}spec:\n  replicas: |`)).toBeUndefined()
    expect(optionsAt('apiVersion: example.com/v1\nkind: Car\nspec:\n  |')).toBeUndefined()
  })
})
