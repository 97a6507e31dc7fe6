import { describe, expect, it } from 'vitest'
import { containerFiles } from './container-root.ts'
import type { FileTree } from './file-tree.ts'
import { textOf } from './file-node.ts'

function filesOfContainer(image = 'nginx:1.27', folder = ''): FileTree {
  return containerFiles({
    image,
    folder,
    sandbox: { hostname: 'web', resolvConf: '', address: '10.0.0.1' },
    mounts: [],
    mounted: [],
    clock: { now: () => 0 },
  })
}

function text(tree: FileTree, path: string): string {
  const found = tree.node(path)
  return found.ok && found.value.kind === 'file' ? textOf(found.value) : ''
}

function names(tree: FileTree, path: string): readonly string[] {
  const listed = tree.list(path)
  return listed.ok ? listed.value : []
}

const page = '/usr/share/nginx/html/index.html'

describe('the files of a container', () => {
  it('have the folder where its processes start', () => {
    const tree = filesOfContainer('nginx:1.27', '/srv/app')
    expect(tree.node('/srv/app')).toMatchObject({ ok: true, value: { kind: 'folder' } })
    expect(filesOfContainer().node('/srv/app').ok).toBe(false)
  })

  it('has those of its image, and its own in /etc', () => {
    const tree = filesOfContainer()
    expect(text(tree, page)).toContain('Welcome to nginx!')
    expect(text(tree, '/etc/hostname')).toBe('web\n')
    expect(names(tree, '/etc')).toEqual([
      'group',
      'hostname',
      'hosts',
      'nginx',
      'os-release',
      'passwd',
      'resolv.conf',
    ])
    expect(names(filesOfContainer('busybox'), '/etc')).not.toContain('nginx')
  })

  it('changes a file of the image for itself only', () => {
    const [one, other] = [filesOfContainer(), filesOfContainer()]
    one.write(page, 'mine\n')
    const found = one.node('/etc/passwd')
    if (found.ok && found.value.kind === 'file') one.append(found.value, 'web:x:1000:\n')
    expect(text(one, page)).toBe('mine\n')
    expect(text(one, '/etc/passwd')).toMatch(/^root:[^]*web:x:1000:\n$/)
    expect(text(other, page)).toContain('Welcome to nginx!')
    expect(text(filesOfContainer(), '/etc/passwd')).not.toContain('web')
  })

  it('removes and makes again what the image has', () => {
    const tree = filesOfContainer()
    tree.remove('/usr/share/nginx')
    expect(tree.node(page)).toEqual({ ok: false, error: 'ENOENT' })
    expect(names(tree, '/usr/share')).toEqual([])
    tree.makeFolders('/usr/share/nginx')
    expect(names(tree, '/usr/share')).toEqual(['nginx'])
    // The new folder has nothing of the image's.
    expect(names(tree, '/usr/share/nginx')).toEqual([])
    expect(text(filesOfContainer(), page)).toContain('Welcome to nginx!')
  })

  it('moves a folder of the image with what is in it', () => {
    const tree = filesOfContainer()
    tree.rename('/usr/share/nginx/html', '/srv/html')
    expect(text(tree, '/srv/html/index.html')).toContain('Welcome to nginx!')
    expect(names(tree, '/usr/share/nginx')).toEqual([])
  })

  it('keeps many more files than the image has in a folder', () => {
    const tree = filesOfContainer()
    for (let count = 0; count < 20; count++) tree.write(`/bin/tool-${count}`, '')
    tree.remove('/bin/sh')
    expect(names(tree, '/bin')).toHaveLength(30)
    expect(names(tree, '/bin')).toContain('cat')
  })
})
