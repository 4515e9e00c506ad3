import { it } from 'vitest';
import { chronicleOf, emptyChronicle, advanceChronicle } from '/work/main/src/views/chronicle.ts';
import { runView } from '/work/main/src/views/run-view.ts';
import { renderTree } from '/work/main/src/views/render-tree.ts';
import { factLine } from '/work/main/src/views/fact-line.ts';
import { planText } from '/work/main/src/views/plan-text.ts';
import { questionText } from '/work/main/src/views/question-text.ts';
import { summaryOf } from '/work/main/src/views/summary.ts';
import { summaryText } from '/work/main/src/views/summary-text.ts';
import { documentsOf } from '/work/main/src/views/documents/documents.ts';
import { after, complete, factsFrom, midway, planning, unverified } from '/work/main/test/views/support.ts';
it('x', () => {
  for (const steps of [planning, midway, complete, unverified]) {
    const facts = factsFrom(steps);
    const c = chronicleOf(facts);
    const view = runView(c, {
      now: after(facts, 12),
      activity: new Map([['W1/test#2', 'running npm test -- test/query.test.js']]),
    });
    for (const columns of [80, 40])
      console.log(renderTree(view, { columns, rows: 24, color: false, frame: 3 }).join('\n') + '\n');
    console.log(renderTree(view, { columns: 60, rows: 8, color: false, frame: 3, ascii: true }).join('\n') + '\n');
  }
  const c = emptyChronicle();
  for (const f of factsFrom(complete)) {
    advanceChronicle(c, f);
    const l = factLine(f, c);
    if (l) console.log(l);
  }
  console.log('-----');
  const d = chronicleOf(factsFrom(planning));
  for (const columns of [80, 40]) {
    console.log(planText(d, { columns }));
    console.log(questionText(d.state.questions.get('approve')!.question, { columns }));
  }
  for (const s of [complete, unverified])
    for (const columns of [80, 40])
      console.log(
        '\n\n' +
          summaryText(summaryOf(chronicleOf(factsFrom(s))), {
            columns,
            directory: '.forge/runs/search-notes-x1y2',
            documents: documentsOf(c).map((x) => x.path),
          }),
      );
  for (const x of documentsOf(c)) console.log(`=== ${x.path}\n${x.content}`);
});
