/** What tests of the dashboard look at: its views, and what axe finds wrong with a page. */
import AxeBuilder from 'axe-core';
import type { Page } from 'playwright-core';

export const views = [
  'Steps',
  'Graph',
  'Timeline',
  'Changes',
  'Transcript',
  'Evidence',
  'Money',
  'Documents',
  'Journal',
];

/** What axe finds wrong with the page as it is. */
export async function axe(page: Page): Promise<readonly string[]> {
  await page.evaluate(AxeBuilder.source);
  return page.evaluate(async () => {
    const { axe: checker } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await checker.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200) ?? ''}`);
  });
}
