import { test } from 'vitest';
import { bubblewrapJail } from '../../src/process/bubblewrap.ts';
import { runProcess } from '../../src/process/spawn.ts';
test('x', async () => {
  const jail = bubblewrapJail();
  for (const network of ['on','loopback','off'] as const) {
    const c = jail.wrap({program:'sh', args:['-c','env; pwd; id; ls -la / /var /tmp/jt; cat /etc/shadow; touch /x /var/x /etc/x /tmp/jt/ws/ok /tmp/x; mount | head -40; sleep 1000 >/dev/null 2>&1 & setsid sleep 1001 >/dev/null 2>&1 & sleep 0.05; exit 3'], cwd:'/tmp/jt/ws', env:{PATH:process.env.PATH!, SEC:'x'}}, {writable:['/tmp/jt/ws'],readable:[],home:'/tmp/jt/home',tmp:'/tmp/jt/tmp',network});
    const r = await runProcess(c);
    if (network==='on') console.log(c.args.join(' '), r.stdout.text, r.stderr.text);
    console.log(r.end, r.durationMs);
    for (let i=0;i<3;i++) {const t=performance.now(); const c2 = jail.wrap({program:'true',args:[],cwd:'/tmp/jt/ws',env:{PATH:process.env.PATH!}}, {writable:['/tmp/jt/ws'],readable:[],home:'/tmp/jt/home',tmp:'/tmp/jt/tmp',network}); const t2=performance.now(); const r2=await runProcess(c2); console.log(network, t2-t, performance.now()-t2, r2.end);}
  }
    for (let i=0;i<3;i++) {const t2=performance.now(); await runProcess({program:'true',args:[],cwd:'/tmp/jt/ws',env:{PATH:process.env.PATH!}}); console.log('plain', performance.now()-t2);}
});
