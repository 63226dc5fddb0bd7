// Test files, by the names that the map uses.
const codex = "src/adapters/codex/codex.test.ts";
const hook = "src/adapters/hook/hook.test.ts";
const defang = "src/safety/defang/defang.test.ts";
const findProgram = "src/base/find-program.test.ts";
const instructionFilter = "src/safety/instructions/filter.test.ts";
const exclusions = "src/base/exclusions.test.ts";
const hash = "src/base/hash.test.ts";
const jail = "src/base/jail.test.ts";
const redact = "src/safety/redact/redact.test.ts";
const redactGeneral = "src/safety/redact/general.test.ts";
const repoRoot = "src/base/repo-root.test.ts";
const subprocess = "src/base/subprocess.test.ts";
const loadSettings = "src/config/load-settings.test.ts";
const walker = "src/engine/build/walker.test.ts";
const repository = "src/engine/repository.test.ts";
const readHistory = "src/engine/history/read-history.test.ts";
const runInstall = "src/install/run-install.test.ts";
const uninstall = "src/install/uninstall.test.ts";
const clamp = "src/lifecycle/clamp.test.ts";
const guard = "src/lifecycle/guard.test.ts";
const hookFiles = "src/config/hook-files.test.ts";
const libraryMessages = "src/adapters/library/messages.test.ts";
const mcpResult = "src/adapters/mcp/tool-result.test.ts";
const askTerminal = "src/entry/ask-terminal.test.ts";
const oneLayer = "src/lifecycle/one-layer.test.ts";
const shellText = "src/lifecycle/shell-text.test.ts";
const subAgent = "src/lifecycle/sub-agent-executor.test.ts";
const toolHooks = "src/lifecycle/tool-hooks.test.ts";
const externalTools = "src/tools/external/external-tools.test.ts";
const investigate = "src/tools/investigate.test.ts";
const contractCommands = "tests/contract/commands.test.ts";
const contractHookLayer = "tests/contract/one-hook-layer.test.ts";
const mcpServer = "tests/mcp-server.test.ts";
const robustnessMcpFrames = "tests/robustness/mcp-frames.test.ts";
const robustnessMcpSoak = "tests/robustness/mcp-soak.test.ts";
const doorsToolHooks = "tests/tool-hooks.test.ts";
const toolExecutor = "src/lifecycle/tool-executor.test.ts";
const fuse = "src/orchestrator/fuse.test.ts";
const judge = "src/orchestrator/judge.test.ts";
const kernel = "src/orchestrator/kernel.test.ts";
const render = "src/orchestrator/render.test.ts";
const runPlan = "src/orchestrator/run-plan.test.ts";
const session = "src/orchestrator/session.test.ts";
const autoTools = "tests/auto-tools.bats";
const trust = "tests/trust.bats";
const dialogues = "tests/dialogues.test.ts";
const contractLayout = "tests/contract/layout.test.ts";
const robustnessHostileGit = "tests/robustness/hostile-git.test.ts";
const robustnessHostileRepository = "tests/robustness/hostile-repository.test.ts";
const robustnessKill = "tests/robustness/kill.test.ts";
const robustnessNarrowing = "tests/robustness/narrowing.test.ts";
const robustnessOddEnvironment = "tests/robustness/odd-environment.test.ts";
const robustnessParallel = "tests/robustness/parallel.test.ts";
const robustnessSessionMemory = "tests/robustness/session-memory.test.ts";
const robustnessPayloadFuzz = "tests/robustness/payload-fuzz.test.ts";

const memory = "src/orchestrator/memory.test.ts";
const followUp = "src/orchestrator/follow-up.test.ts";
const trustRecord = "src/install/record-trust.test.ts";
const trustUnit = "src/config/trust.test.ts";
const stateFiles = "src/base/state-files.test.ts";
const codexJobArguments = "src/adapters/cli/codex-job-arguments.test.ts";
const processIdentity = "src/base/process-identity.test.ts";
const checks = "src/jobs/run/checks.test.ts";
const classify = "src/jobs/run/classify.test.ts";
const cleanCut = "src/jobs/job/clean-cut.test.ts";
const codexAnswers = "src/jobs/tools/codex-answers.test.ts";
const hideSecrets = "src/jobs/run/hide-secrets.test.ts";
const instructionTitle = "src/jobs/run/instruction-title.test.ts";
const instructions = "src/jobs/run/instructions.test.ts";
const iterations = "src/jobs/run/iterations.test.ts";
const jobEnd = "src/jobs/job/end.test.ts";
const jobIds = "src/jobs/job/ids.test.ts";
const jobLogs = "src/jobs/job/logs.test.ts";
const jobs = "src/jobs/job/commands.test.ts";
const lastLine = "src/jobs/run/last-line.test.ts";
const mcpOptions = "src/jobs/tools/mcp-options.test.ts";
const patterns = "src/jobs/run/patterns.test.ts";
const policyArgs = "src/jobs/policy/args.test.ts";
const policyMatrix = "src/jobs/policy/matrix.test.ts";
const policy = "src/jobs/policy/policy.test.ts";
const runLog = "src/jobs/run/log.test.ts";
const runSession = "src/jobs/run/session.test.ts";
const startOptions = "src/jobs/run/start-options.test.ts";
const doorsCodexDoors = "tests/codex-doors.test.ts";
const doorsCodexJobDoor = "tests/codex-job-door.test.ts";
const doorsCodexMcp = "tests/codex-mcp.test.ts";
const doorsCodexStart = "tests/codex-start.test.ts";
const e2eCodexJobs = "tests/e2e/codex-jobs.test.ts";
const e2eCodexPolicy = "tests/e2e/codex-policy.test.ts";
const e2eCodexMcp = "tests/e2e/codex-mcp.test.ts";
const e2eCodexStart = "tests/e2e/codex-start.test.ts";
const robustnessCodexJobs = "tests/robustness/codex-jobs.test.ts";
const doorsSmokeScripts = "tests/smoke-scripts.test.ts";

/**
 * Every requirement and the test files that prove it. Contract: each file has a test whose title carries the id;
 * `contract/requirements.test.ts` fails where one is missing.
 */
export const REQUIREMENTS: Readonly<Record<string, readonly string[]>> = {
  "ATO-SCOPE-1": [kernel, autoTools],
  "ATO-SCOPE-2": [autoTools],
  "ATO-SCOPE-3": [kernel, autoTools],
  "ATO-SCOPE-4": [judge, render, autoTools],
  "ATO-SCOPE-5": [toolExecutor, contractLayout],
  "ATO-SCOPE-6": [autoTools],
  "ATO-SCOPE-7": [autoTools],
  "ATO-CHAIN-1": [autoTools],
  "ATO-CHAIN-2": [autoTools],
  "ATO-CHAIN-3": [hook, autoTools],
  "ATO-CHAIN-4": [hook, autoTools],
  "ATO-CHAIN-5": [autoTools, contractLayout],
  "ATO-CHAIN-6": [hook, toolExecutor, autoTools, contractLayout],
  "ATO-CHAIN-7": [judge, autoTools],
  "ATO-CHAIN-8": [autoTools],
  "ATO-CDX-1": [subprocess, autoTools],
  "ATO-CDX-2": [autoTools],
  "ATO-CDX-3": [autoTools],
  "ATO-CDX-4": [kernel, autoTools],
  "ATO-CDX-5": [autoTools],
  "ATO-CDX-6": [codex, autoTools],
  "ATO-CDX-7": [autoTools],
  "ATO-CDX-8": [autoTools],
  "ATO-CTL-1": [loadSettings, autoTools],
  "ATO-CTL-2": [judge, kernel, autoTools],
  "ATO-CTL-3": [kernel, autoTools],
  "ATO-CTL-4": [kernel, autoTools],
  "ATO-CTL-5": [loadSettings, autoTools, robustnessHostileRepository, robustnessNarrowing],
  "ATO-CTL-6": [loadSettings, autoTools],
  "ATO-CTL-7": [loadSettings, autoTools, robustnessHostileRepository, robustnessNarrowing],
  "ATO-CTL-8": [loadSettings, autoTools],
  "ATO-CTL-9": [loadSettings, autoTools, robustnessNarrowing],
  "ATO-CTL-10": [kernel, autoTools],
  "ATO-CTL-11": [kernel, autoTools],
  "ATO-CTL-12": [kernel, autoTools, robustnessSessionMemory],
  "ATO-CTL-13": [hash, kernel, autoTools],
  "ATO-CTL-14": [loadSettings, kernel, autoTools, trust, robustnessHostileRepository, robustnessNarrowing],
  "ATO-SEC-1": [
    findProgram,
    subprocess,
    readHistory,
    autoTools,
    contractLayout,
    robustnessHostileRepository,
    robustnessHostileGit,
  ],
  "ATO-SEC-2": [clamp, kernel, autoTools],
  "ATO-SEC-3": [kernel, autoTools],
  "ATO-SEC-4": [kernel, autoTools],
  "ATO-SEC-5": [clamp, autoTools],
  "ATO-SEC-6": [clamp, kernel, autoTools],
  "ATO-SEC-7": [clamp, autoTools],
  "ATO-SEC-8": [kernel, autoTools],
  "ATO-PATH-1": [repoRoot, autoTools, robustnessHostileGit, robustnessHostileRepository],
  "ATO-PATH-2": [repoRoot, autoTools],
  "ATO-PATH-3": [repoRoot, autoTools, robustnessHostileRepository],
  "ATO-PATH-4": [jail, readHistory, judge, autoTools, robustnessHostileRepository],
  "ATO-PATH-5": [jail, walker, repository, guard, kernel, autoTools, robustnessHostileRepository],
  "ATO-PATH-6": [jail, walker, repository, autoTools, robustnessHostileRepository],
  "ATO-RED-1": [redact, kernel, session, autoTools, robustnessSessionMemory, redactGeneral],
  "ATO-RED-2": [guard, autoTools],
  "ATO-BUD-1": [
    exclusions,
    kernel,
    runPlan,
    autoTools,
    robustnessHostileRepository,
    robustnessKill,
    robustnessParallel,
  ],
  "ATO-BUD-2": [kernel, runPlan, autoTools],
  "ATO-BUD-3": [subprocess, clamp, autoTools],
  "ATO-BUD-4": [kernel, autoTools],
  "ATO-BUD-5": [kernel, autoTools],
  "ATO-BUD-6": [kernel, render, autoTools],
  "ATO-JSON-1": [kernel, autoTools, robustnessPayloadFuzz],
  "ATO-JSON-2": [kernel, autoTools],
  "ATO-JSON-3": [kernel, autoTools],
  "ATO-JSON-4": [hook, autoTools, robustnessPayloadFuzz],
  "ATO-FAIL-1": [
    kernel,
    autoTools,
    robustnessKill,
    robustnessOddEnvironment,
    robustnessParallel,
    robustnessPayloadFuzz,
    robustnessSessionMemory,
  ],
  "ATO-FAIL-2": [toolExecutor, autoTools],
  "ATO-FAIL-3": [hook, kernel, autoTools, robustnessPayloadFuzz],
  "ATO-FAIL-4": [kernel, autoTools],
  "ATO-FAIL-5": [autoTools],
  "ATO-FAIL-6": [autoTools],
  "ATO-FAIL-7": [toolExecutor, autoTools],
  "ATO-FAIL-8": [toolExecutor, autoTools],
  "ATO-FAIL-9": [toolExecutor, runPlan, autoTools],
  "ATO-INJ-1": [defang, kernel, render, autoTools],
  "ATO-INJ-2": [instructionFilter, guard, kernel, autoTools],
  "ATO-LANG-1": [judge, dialogues, autoTools],
  "ATO-FUSE-1": [render, autoTools],
  "ATO-FUSE-2": [fuse, kernel, autoTools],
  "ATO-FUSE-3": [fuse, autoTools],
  "ATO-FUSE-4": [fuse, autoTools],
  "ATO-FUSE-5": [fuse, autoTools],
  "ATO-FUSE-6": [fuse, autoTools],
  "ATO-FUSE-7": [fuse, autoTools],
  "ATO-FUSE-8": [fuse, autoTools],
  "ATO-FUSE-9": [fuse, autoTools, robustnessParallel, robustnessSessionMemory],
  "ATO-INST-1": [runInstall],
  "ATO-INST-2": [runInstall],
  "ATO-INST-3": [uninstall],
  "ATO-INST-4": ["tests/contract/shown-commands.test.ts"],
  "AC-001": [autoTools],
  "AC-002": [autoTools],
  "AC-003": [autoTools],
  "AC-004": [autoTools],
  "AC-005": [autoTools],
  "AC-006": [autoTools],
  "AC-007": [autoTools],
  "AC-008": [autoTools],
  "AC-009": [autoTools],
  "AC-010": [autoTools],
  "AC-011": [autoTools],
  "AC-012": [autoTools],
  "AC-013": [autoTools],
  "AC-014": [autoTools],
  "AC-015": [autoTools],
  "REQ-ATO-001": [kernel, autoTools],
  "SC-ATO-001": [autoTools],
  "REQ-ATO-002": [loadSettings, autoTools],
  "SC-ATO-002": [autoTools],
  "REQ-ATO-003": [autoTools],
  "SC-ATO-003": [autoTools],
  "REQ-ATO-006": [autoTools],
  "SC-ATO-006": [autoTools],
  "REQ-ATO-007": [autoTools],
  "SC-ATO-007": [autoTools],
  "REQ-ATO-009": [kernel, autoTools],
  "SC-ATO-009": [autoTools],
  "HOOK-1": [oneLayer, externalTools],
  "HOOK-2": [hookFiles, shellText, toolHooks],
  "HOOK-3": [oneLayer, libraryMessages],
  "HOOK-4": [contractHookLayer, robustnessMcpFrames],
  "HOOK-5": [oneLayer, subAgent, investigate, doorsToolHooks],
  "HOOK-6": [oneLayer, investigate, externalTools],
  "HOOK-7": [toolHooks],
  "HOOK-8": [toolHooks, oneLayer, libraryMessages, mcpResult, mcpServer, doorsToolHooks],
  "HOOK-9": [contractHookLayer],
  "HOOK-10": [oneLayer, investigate, askTerminal, robustnessMcpSoak, doorsToolHooks],
  "HOOK-11": [contractLayout],
  "HOOK-12": [contractHookLayer],
  "HOOK-13": [contractCommands],
  "HOOK-14": [doorsToolHooks],
  "CNI-1": [policyMatrix],
  "CNI-2": [policyArgs, policy, runSession, doorsCodexDoors, e2eCodexStart],
  "CNI-3": [policy, runSession, doorsCodexDoors, e2eCodexPolicy],
  "CNI-4": [policy, e2eCodexPolicy],
  "CNI-5": [mcpOptions, policyMatrix, policy, runSession, e2eCodexStart, doorsSmokeScripts, e2eCodexPolicy],
  "CNI-6": [policyMatrix, policy, doorsSmokeScripts, e2eCodexPolicy],
  "CNI-7": [policyMatrix, policy, runSession, doorsSmokeScripts, e2eCodexPolicy],
  "CNI-8": [jobEnd, runLog, runSession, doorsCodexStart],
  "CNI-9": [classify, instructionTitle, runLog, e2eCodexStart],
  "CNI-10": [runSession, doorsCodexStart],
  "CNI-11": [
    processIdentity,
    subprocess,
    jobIds,
    jobs,
    runSession,
    doorsCodexStart,
    e2eCodexStart,
    robustnessCodexJobs,
    e2eCodexPolicy,
    e2eCodexJobs,
  ],
  "CNI-12": [mcpOptions, doorsCodexDoors, doorsCodexMcp],
  "CNI-13": [mcpOptions, doorsCodexMcp],
  "CNI-14": [mcpOptions, doorsCodexMcp],
  "CNI-15": [mcpOptions, doorsCodexMcp],
  "CNI-16": [codexAnswers, doorsCodexMcp],
  "CNI-17": [jobLogs, doorsCodexMcp, e2eCodexMcp],
  "CNI-18": [cleanCut, hideSecrets, lastLine, patterns, runSession, doorsCodexMcp],
  "CNI-19": [codexJobArguments, checks, instructions, iterations, runSession, startOptions, doorsCodexJobDoor],
  "CNI-20": [policy, contractCommands],
  "decision 2": [hook],
  "decision 8": [
    exclusions,
    hookFiles,
    doorsToolHooks,
    loadSettings,
    trustUnit,
    trustRecord,
    trust,
    robustnessHostileGit,
    robustnessHostileRepository,
    robustnessNarrowing,
  ],
  "decision 9": [hookFiles, stateFiles, trustUnit, trustRecord, session, robustnessOddEnvironment],
  "B-33": [followUp, memory, render, session, autoTools, robustnessSessionMemory],
};
