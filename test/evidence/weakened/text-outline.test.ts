import { describe, expect, it } from 'vitest';
import type { TestFileChange } from '../../../src/evidence/weakened.ts';
import { weakenedEvidence } from '../weakened-evidence.ts';

const brief = (changes: readonly TestFileChange[]): string[] =>
  weakenedEvidence(changes).map((each) => `${each.path}:${each.line} ${each.kind} ${each.test ?? '-'}`);

describe('Python', () => {
  const before = `import pytest

class TestA:
    def test_one(self):
        """assert in a docstring; pytest.mark.skip"""
        assert f() == 1  # assert
        self.assertEqual(g(), 2)

    async def test_two(self):
        with pytest.raises(ValueError):
            f(
                1,
            )

def test_three():
    assert h("# TODO pytest.skip()")
`;
  const py = (after: string | undefined): string[] => brief([{ path: 'tests/test_a.py', before, after }]);

  it('counts, names and skips', () => {
    expect(py(before)).toEqual([]);
    expect(py(before.replace('        assert f() == 1  # assert\n', ''))).toEqual([
      'tests/test_a.py:4 assertion-removed TestA > test_one',
    ]);
    expect(py(before.replace('def test_three', '@pytest.mark.skipif(True,\n    reason="x")\ndef test_three'))).toEqual([
      'tests/test_a.py:15 test-skipped test_three',
    ]);
    expect(py(before.replace('    async def test_two', '    @pytest.mark.xfail\n    async def test_two'))).toEqual([
      'tests/test_a.py:9 test-skipped TestA > test_two',
    ]);
    expect(py(before.replace('class TestA', '@unittest.skip("no")\nclass TestA'))).toEqual([
      'tests/test_a.py:3 test-skipped TestA',
    ]);
    expect(py(before.replace('    assert h', '    pytest.skip("later")\n    assert h'))).toEqual([
      'tests/test_a.py:16 test-skipped test_three',
    ]);
    expect(py(before.replace('import pytest\n', 'import pytest\npytestmark = pytest.mark.skip\n'))).toEqual([
      'tests/test_a.py:2 test-skipped -',
    ]);
    expect(py(before.slice(0, before.indexOf('def test_three')))).toEqual([
      'tests/test_a.py:15 test-deleted test_three',
    ]);
    expect(py(before.replace('test_three', 'test_renamed'))).toEqual([]);
    expect(py(undefined)).toEqual(['tests/test_a.py:1 test-deleted -']);
  });

  it.each([
    'assert True',
    'assert 1 == 1',
    'assert x is x',
    'self.assertTrue(True)',
    'self.assertEqual(1, 1)',
    'assert True, "x"',
  ])('%s cannot fail', (code) => {
    expect(py(`${before}\ndef test_four():\n    ${code}\n`)).toEqual([
      'tests/test_a.py:19 assertion-emptied test_four',
    ]);
  });

  it.each([
    'assert f() == f()',
    'assert 1 == 2',
    'assert x',
    'self.assertEqual(f(1), f(1))',
    'assert (\n        f() == 1\n    )',
  ])('%s can', (code) => {
    expect(py(`${before}\ndef test_four():\n    ${code}\n`)).toEqual([]);
  });
});

describe('Go', () => {
  const before = `package a
// t.Skip("no")
func TestA(t *testing.T) {
	if got := f(); got != 1 {
		t.Errorf("} t.Skip() %d", got)
	}
	t.Run("sub case", func(t *testing.T) {
		require.Equal(t, 1, f())
		assert.NoError(t, g())
	})
}

func TestB(t *testing.T) {
	assert.True(t, f())
}
`;
  const go = (after: string): string[] => brief([{ path: 'a_test.go', before, after }]);
  it('counts, names and skips', () => {
    expect(go(before)).toEqual([]);
    expect(go(before.replace('	assert.True(t, f())\n', '	t.Skip("flaky")\n'))).toEqual([
      'a_test.go:13 assertion-removed TestB',
      'a_test.go:14 test-skipped TestB',
    ]);
    expect(go(before.replace('		assert.NoError(t, g())\n', ''))).toEqual([
      'a_test.go:7 assertion-removed TestA > sub case',
    ]);
    expect(go(before.replace('assert.True(t, f())', 'assert.True(t, true)'))).toEqual([
      'a_test.go:13 assertion-removed TestB',
      'a_test.go:14 assertion-emptied TestB',
    ]);
    expect(go(before.slice(0, before.indexOf('func TestB')))).toEqual(['a_test.go:13 test-deleted TestB']);
  });
});

describe('Rust', () => {
  const before = `fn id<'a>(s: &'a str) -> &'a str { s }
/* /* #[ignore] */ assert!(true) */
#[cfg(test)]
mod tests {
    #[test]
    fn one() { assert_eq!(f("#[ignore]"), r#"assert!("x")"#); assert!(g('"')); }
    #[tokio::test]
    #[should_panic(expected = "x")]
    async fn two() { f(); }
}
`;
  const rust = (after: string): string[] => brief([{ path: 'src/lib.rs', before, after }]);
  it('counts, names and skips, in source files too', () => {
    expect(rust(before)).toEqual([]);
    expect(rust(before.replace("assert!(g('\"'));", ''))).toEqual(['src/lib.rs:6 assertion-removed tests > one']);
    expect(rust(before.replace('    #[test]\n', '    #[test]\n    #[ignore = "slow"]\n'))).toEqual([
      'src/lib.rs:6 test-skipped tests > one',
    ]);
    expect(rust(before.replace('    #[should_panic(expected = "x")]\n', ''))).toEqual([
      'src/lib.rs:8 assertion-removed tests > two',
    ]);
    expect(rust(before.replace("assert!(g('\"'))", 'assert!(true)'))).toEqual([
      'src/lib.rs:6 assertion-emptied tests > one',
      'src/lib.rs:6 assertion-removed tests > one',
    ]);
    expect(rust(before.slice(0, before.indexOf('    #[tokio')))).toEqual(['src/lib.rs:9 test-deleted tests > two']);
  });
});

describe('Java', () => {
  const before = `class FooTest {
  // @Disabled
  @Test
  void one() throws Exception {
    assertEquals(1, f("@Disabled"));
    assertThat(g()).isTrue();
  }
  @ParameterizedTest(name = "x")
  @ValueSource(ints = {1, 2})
  public void two(int n) { assertTrue(h(n)); }
}
`;
  const java = (after: string): string[] =>
    brief([{ path: 'src/test/java/FooTest.java', before, after }]).map((each) =>
      each.slice('src/test/java/FooTest.java:'.length),
    );
  it('counts, names and skips', () => {
    expect(java(before)).toEqual([]);
    expect(java(before.replace('    assertThat(g()).isTrue();\n', ''))).toEqual(['4 assertion-removed FooTest > one']);
    expect(java(before.replace('  @Test\n', '  @Test @Disabled("x")\n'))).toEqual(['3 test-skipped FooTest > one']);
    expect(java(before.replace('class FooTest', '@Disabled\nclass FooTest'))).toEqual(['1 test-skipped FooTest']);
    expect(java(before.replace('assertTrue(h(n))', 'assertTrue(true)'))).toEqual([
      '10 assertion-emptied FooTest > two',
      '10 assertion-removed FooTest > two',
    ]);
    expect(java(before.replace(/ {2}@Param[\s\S]*?\}\n(?=\}\n$)/, ''))).toEqual(['10 test-deleted FooTest > two']);
  });
});
