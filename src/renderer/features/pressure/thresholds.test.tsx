import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, describe, expect, it } from 'vitest'
import { openPage } from '../../app/fake-page.tsx'
import { FakeBridge } from '../../bridge/fake-bridge.ts'
import { fakePressure } from '../../bridge/fake-pressure.ts'

afterEach(() => {
  cleanup()
})

const texts = {
  evictionHard: { 'memory.available': '100Mi', 'nodefs.available': '10%' },
  evictionSoft: {},
  evictionSoftGracePeriod: {},
  evictionMinimumReclaim: {},
  evictionPressureTransitionPeriod: '5m0s',
  evictionMaxPodGracePeriod: '0',
}

async function openThresholds() {
  const bridge = new FakeBridge()
  bridge.pressures.set('scope-node-1', fakePressure())
  bridge.thresholds.set('scope-node-1', texts)
  const page = await openPage(bridge, { view: 'pressure' })
  await page.user.click(await screen.findByRole('radio', { name: 'Thresholds' }))
  await screen.findByRole('table', { name: 'Thresholds' })
  return { bridge, ...page }
}

function type(name: string, value: string): void {
  fireEvent.change(screen.getByRole('textbox', { name }), { target: { value } })
}

describe('Thresholds', () => {
  it('sets what was typed, and shows the file that does the same', async () => {
    const { bridge, user } = await openThresholds()
    type('Soft, memory.available', '1Gi')
    type('Grace of soft, memory.available', '90s')
    type('Hard, nodefs.available', '')
    const file = screen.getByRole('region', { name: 'The same in a file for --config' })
    expect(file.textContent).toContain('evictionSoft:\n  memory.available: "1Gi"\n')
    expect(file.textContent).not.toContain('nodefs')
    await user.click(screen.getByRole('button', { name: 'Set and restart the kubelet' }))
    await waitFor(() => expect(bridge.sentArgs('node.setThresholds')).toHaveLength(1))
    expect(bridge.sentArgs('node.setThresholds')[0]).toMatchObject({
      node: 'scope-node-1',
      texts: {
        evictionHard: { 'memory.available': '100Mi' },
        evictionSoft: { 'memory.available': '1Gi' },
        evictionSoftGracePeriod: { 'memory.available': '90s' },
      },
    })
    const { violations } = await axe.run(document.body)
    expect(violations.map(({ id }) => id)).toEqual([])
  })

  it('shows the kubelet’s error at its field, and sets nothing', async () => {
    const { bridge, user } = await openThresholds()
    const message = 'eviction percentage threshold nodefs.available must be <= 100%: 110%'
    const at = { field: 'evictionHard', signal: 'nodefs.available' } as const
    bridge.thresholdProblems = [{ ...at, message }]
    type('Hard, nodefs.available', '110%')
    expect(await screen.findByText(message)).toBeTruthy()
    const field = screen.getByRole('textbox', { name: 'Hard, nodefs.available' })
    expect(field.getAttribute('aria-invalid')).toBe('true')
    await user.click(screen.getByRole('button', { name: 'Set and restart the kubelet' }))
    expect(bridge.sentArgs('node.setThresholds')).toEqual([])
  })
})
