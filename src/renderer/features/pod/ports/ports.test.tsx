import { act, cleanup, screen, within } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openPage } from '../../../app/fake-page.tsx'
import { FakeBridge } from '../../../bridge/fake-bridge.ts'
import { fakeDetail, fakeRow } from '../../../bridge/fake-views.ts'
import type { ContainerView } from '../../../../shared/model/pod-detail.ts'
import { ok } from '../../../../shared/result.ts'
import { portForwardLine } from './PortForwards.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const row = fakeRow({ name: 'web' })

const container: ContainerView = {
  name: 'web',
  image: 'nginx:1.27',
  state: 'running',
  reason: '',
  ready: true,
  restarts: 0,
  startedAt: null,
  exitCode: null,
  lastExitCode: null,
  kind: 'container',
  containerId: '',
  finishedAt: null,
  message: '',
  backOffUntil: null,
  lastTermination: null,
}

async function openPorts(bridge: FakeBridge): Promise<Awaited<ReturnType<typeof openPage>>> {
  const page = await openPage(bridge)
  await act(async () => {
    page.store.state.getState().openDrawer(row.key, 'containers')
    await Promise.resolve()
  })
  return page
}

function bridgeWithPod(): FakeBridge {
  const bridge = new FakeBridge({ rows: [row] })
  bridge.tell(fakeDetail(row, { containers: [container] }))
  bridge.podPorts = { named: [{ port: 80, name: 'http', container: 'web' }], forwards: [] }
  return bridge
}

describe('forwarded ports of a pod', () => {
  it('begin with the port that its container names, and say why one cannot be opened', async () => {
    const bridge = bridgeWithPod()
    const { user } = await openPorts(bridge)
    const ports = await screen.findByRole('region', { name: 'Port forwarding' })
    await user.type(within(ports).getByRole('textbox', { name: 'Local port' }), '8080')
    expect(ports.textContent).toContain('kubectl port-forward -n')
    await user.click(within(ports).getByRole('button', { name: 'Forward' }))
    expect(bridge.sentArgs('ports.start')).toEqual([{ key: row.key, port: 80, localPort: 8080 }])
    expect(within(ports).getByRole('alert').textContent).toContain('Port 8080')
  })

  it('are listed with their connections, and stop, without a violation of axe', async () => {
    const bridge = bridgeWithPod()
    const forward = {
      id: 3,
      key: row.key,
      port: 80,
      localPort: 43_211,
      open: 2,
      total: 5,
      problem: '',
    }
    bridge.startPortAnswer = ok(forward)
    bridge.podPorts = { named: [], forwards: [forward] }
    const { user } = await openPorts(bridge)
    const list = await screen.findByRole('list', { name: 'Forwarded ports' })
    expect(list.textContent).toContain('127.0.0.1:43211 → 80')
    expect(list.textContent).toContain('2 open, 5 in all')
    const { violations } = await axe.run(document.body, {
      rules: { 'color-contrast': { enabled: false } },
    })
    expect(violations.map(({ id }) => id)).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Stop 127.0.0.1:43211' }))
    expect(bridge.sentArgs('ports.stop')).toEqual([{ cluster: row.cluster, id: 3 }])
  })

  it('have the line of kubectl, with the context of a cluster that is looked at', () => {
    const facts = { namespace: 'shop', name: 'web', seenIn: 'prod eu1' }
    expect(portForwardLine(facts, '80', '8080')).toBe(
      "kubectl --context 'prod eu1' port-forward -n shop pod/web 8080:80",
    )
    expect(portForwardLine({ ...facts, seenIn: '' }, '80', '')).toBe(
      'kubectl port-forward -n shop pod/web :80',
    )
  })
})
