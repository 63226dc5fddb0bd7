import { describe, expect, it } from "vitest";
import { hasPrefix, isRevision, parseRepoPrefix, parseRepoUrl } from "./repo-url.ts";

const parsed = (written: string) => {
  const url = parseRepoUrl(written);
  return url.ok ? url.value : null;
};

describe("[T-17] the address of a repository", () => {
  it.each([
    ["https://Git.Example/Team/app.git", "https://git.example/Team/app.git"],
    ["https://git.example:443/team/app/", "https://git.example/team/app"],
    ["https://git.example:8443/team/app", "https://git.example:8443/team/app"],
    ["ssh://git@git.example:22/team/app", "ssh://git@git.example/team/app"],
    ["http://127.0.0.1:3000/app", "http://127.0.0.1:3000/app"],
    ["file:///srv/git/app.git", "file:///srv/git/app.git"],
    ["/srv/git/.hidden/app", "file:///srv/git/.hidden/app"],
  ])("%s is normalised to %s", (written, url) => {
    expect(parsed(written)).toBe(url);
  });

  it.each([
    "",
    "--upload-pack=touch /tmp/x",
    "-oProxyCommand=x",
    "ext::sh -c 'touch x'",
    "fd::17",
    "git://git.example/app",
    "http://git.example/app",
    "git@git.example:team/app",
    "team/app",
    "../app",
    "https://git.example/team/../other",
    "https://git.example/team/%2e%2e/other",
    "https://git.example/team/..%2fother",
    "https://git.example/team/./app",
    "https://git.example/team//app",
    "https://git.example/team/-app",
    "https://git.example/team/app?x=1",
    "https://git.example/team/app#x",
    "https://git.example/team\\app",
    "https://git.example/team/a b",
    "https://git.example/team/app\n",
    "https://user@git.example/team/app",
    "https://user:pass@git.example/team/app",
    "https://git.example@evil.example/team/app",
    "ssh://-oProxyCommand=x/app",
    "ssh://-l@git.example/app",
    "ssh://git:pass@git.example/app",
    "https:///team/app",
    "https://git.example./team/app/",
    "file://host/srv/git/app",
    "HTTPS://git.example/app",
    "https://git.ex\u0430mple/app",
    `https://git.example/${"x".repeat(1_000)}`,
  ])("%j is refused", (written) => {
    expect(parsed(written)).toBeNull();
  });

  it("matches a prefix by whole segments", () => {
    const prefix = parseRepoPrefix("https://git.example/team");
    const prefixes = prefix.ok ? [prefix.value] : [];
    expect(prefixes).toEqual(["https://git.example/team/"]);
    expect(hasPrefix("https://git.example/team/app", prefixes)).toBe(true);
    expect(hasPrefix("https://git.example/team", prefixes)).toBe(true);
    expect(hasPrefix("https://git.example/teams/app", prefixes)).toBe(false);
    expect(hasPrefix("https://git.example.evil/team/app", prefixes)).toBe(false);
    expect(hasPrefix("https://git.example/Team/app", prefixes)).toBe(false);
    expect(hasPrefix("ssh://git@git.example/team/app", prefixes)).toBe(false);
    expect(hasPrefix("https://git.example/team/app", [])).toBe(false);
    const host = parseRepoPrefix("https://git.example/");
    expect(host).toEqual({ ok: true, value: "https://git.example/" });
    expect(parseRepoPrefix("/")).toEqual({ ok: true, value: "file:///" });
    expect(hasPrefix("file:///srv/git", ["file:///"])).toBe(true);
  });

  it("a revision is a name, not an expression that git evaluates", () => {
    for (const fine of ["", "main", "feature/x-1", "v1.2.3", "a".repeat(40), "HEAD"])
      expect(isRevision(fine)).toBe(true);
    for (const odd of [
      "-x",
      "--upload-pack=x",
      "a..b",
      "HEAD~1",
      "a:b",
      "+main",
      "@{u}",
      "a b",
      "x/",
      "a//b",
      "x.lock",
      "a\nb",
      "/x",
    ])
      expect(isRevision(odd), odd).toBe(false);
  });
});
