import { expectAccessible } from './accessibility.ts'
import { expect, test } from './fixtures.ts'

test('the preset of a memory leak: the pod that is first in the order is evicted, with conditions and message', async ({
  program,
}) => {
  const { page } = program
  await page.keyboard.press('i')
  await expect(page.getByRole('heading', { name: 'Pressure' })).toBeVisible()
  await page.getByRole('button', { name: 'Memory leak' }).click()
  const order = page.getByRole('table', { name: 'Eviction order for memory.available' })
  await expect(order.getByRole('button').first()).toHaveText('cache')
  for (const size of [
    { width: 1280, height: 720 },
    { width: 1440, height: 900 },
  ]) {
    await page.setViewportSize(size)
    await expectAccessible(page, `pressure at ${size.width}x${size.height}`)
  }
  await page.keyboard.press('+')
  await page.keyboard.press('p')
  const evicted = page.getByRole('region', { name: 'Evicted' })
  await expect(evicted).toContainText('The node was low on resource: memory.')
  await expect(evicted.getByRole('button')).toHaveText('cache')
  await expect(page.getByRole('region', { name: 'Conditions and taints' })).toContainText(
    'node.kubernetes.io/memory-pressure:NoSchedule',
  )
  await expectAccessible(page, 'pressure after an eviction')
})

test('the preset of priorities: a slider changes the order without changing a pod, until it is applied', async ({
  program,
}) => {
  const { page } = program
  await page.keyboard.press('i')
  await page.getByRole('button', { name: 'Priority', exact: true }).click()
  const order = page.getByRole('table', { name: 'Eviction order for memory.available' })
  const first = order.getByRole('button').first()
  await expect(first).toHaveText('modest')
  await expect(order).toContainText(
    'modest goes before leaking: its priority 0 is lower than 1000.',
  )
  const slider = page.getByRole('slider', { name: 'memory of modest' })
  await slider.focus()
  await page.keyboard.press('Home')
  await expect(first).toHaveText('leaking')
  await expect(page.getByRole('region', { name: 'What if' })).toBeVisible()
  await expectAccessible(page, 'an assumed use')
  await page.keyboard.press('r')
  await expect(first).toHaveText('modest')
  await slider.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('a')
  await expect(page.getByRole('region', { name: 'What if' })).toBeHidden()
  await page.keyboard.press('p')
  await expect(first).toHaveText('leaking')
})

test('all ways to lose a pod run on copies as they are forecast, and the pod itself runs on', async ({
  program,
}) => {
  const { page } = program
  await page.keyboard.press('i')
  await page.getByRole('button', { name: 'Memory leak' }).click()
  await page.getByRole('radio', { name: 'Ways to lose a pod' }).check()
  const table = page.getByRole('table', { name: 'Ways to lose a pod' })
  await expect(table.getByRole('button', { name: 'Run' })).toHaveCount(9)
  await page.getByRole('combobox', { name: 'Pod' }).selectOption({ label: 'default/cache' })
  await expect(table.getByRole('button', { name: 'Run' })).toHaveCount(9)
  await page.getByRole('heading', { name: 'Pressure' }).click()
  await page.keyboard.press('a')
  await expect(page.getByText('9 of 9 run, 9 as forecast')).toBeVisible({ timeout: 30_000 })
  await expect(table).toContainText('DeletionByPodGC')
  for (const size of [
    { width: 1280, height: 720 },
    { width: 1440, height: 900 },
  ]) {
    await page.setViewportSize(size)
    await expectAccessible(page, `ways to lose a pod at ${size.width}x${size.height}`)
  }
  await page.getByRole('radio', { name: 'Signals' }).check()
  const order = page.getByRole('table', { name: 'Eviction order for memory.available' })
  await expect(order.getByRole('button').first()).toHaveText('cache')
  await expect(page.getByText('This kubelet has evicted no pod.')).toBeVisible()
})

test('thresholds that are set in the view are refused in the kubelet’s words, and restart the kubelet', async ({
  program,
}) => {
  const { page } = program
  await page.keyboard.press('i')
  await page.getByRole('radio', { name: 'Thresholds' }).check()
  const hard = page.getByRole('textbox', { name: 'Hard, memory.available' })
  await expect(hard).toHaveValue('100Mi')
  await hard.fill('much')
  await expect(page.getByText(/quantities must match the regular expression/)).toBeVisible()
  await expectAccessible(page, 'thresholds with an error')
  await hard.fill('500Mi')
  await expect(page.getByRole('region', { name: 'The same in a file for --config' })).toContainText(
    'memory.available: "500Mi"',
  )
  await page.getByRole('button', { name: 'Set and restart the kubelet' }).click()
  await expect(page.getByText(/Restarted the kubelet of scope-node-1/)).toBeVisible()
  for (const size of [
    { width: 1280, height: 720 },
    { width: 1440, height: 900 },
  ]) {
    await page.setViewportSize(size)
    await expectAccessible(page, `thresholds at ${size.width}x${size.height}`)
  }
  await page.getByRole('radio', { name: 'Signals' }).check()
  await expect(page.getByRole('region', { name: 'Signals' })).toContainText('hard 500Mi')
})
