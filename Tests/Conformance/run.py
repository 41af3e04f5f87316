"""Runs the Autobahn cases against `websocket-echo`, as server and as client, with kosoku.

    run.py [quick | all | PATTERN ...]

`quick`, the default, leaves out the cases 9.* (limits), 12.* and 13.* (compression). What comes out
is compared with results.json beside this file: any difference is printed and fails the run. With
UPDATE=1 in the environment the file is written anew instead.
"""

import asyncio
import collections
import fnmatch
import json
import os
import sys
import time
from pathlib import Path

from kosoku import FailureError, run_fuzzingclient, run_fuzzingserver
from kosoku.cases import CASES

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results.json"
ECHO = os.environ.get("WEBSOCKET_ECHO", str(HERE.parents[1] / ".build/release/websocket-echo"))
LONG = ["9.*", "12.*", "13.*"]
SECONDS_MAX = 7200


def selected(words):
    """The wanted case ids, in the suite's order."""
    if words in ([], ["quick"]):
        return [case for case in CASES if not matches(case, LONG)]
    if words == ["all"]:
        return list(CASES)
    unknown = [word for word in words if not fnmatch.filter(CASES, word)]
    if unknown:
        raise SystemExit(f"no such cases: {' '.join(unknown)}")
    return [case for case in CASES if matches(case, words)]


def matches(case, patterns):
    return any(fnmatch.fnmatchcase(case, pattern) for pattern in patterns)


async def as_server(cases):
    """Runs cases against our server. Most wait more than they work, so some run side by side."""
    echo = await asyncio.create_subprocess_exec(ECHO, stdout=asyncio.subprocess.PIPE)
    try:
        url = (await echo.stdout.readline()).decode().split()[1]
        short = [case for case in cases if not matches(case, LONG)]
        long = [case for case in cases if matches(case, LONG)]
        results = []
        for part, concurrency in [(short, 4), (long, 1)]:
            if part:
                try:
                    results += await run_fuzzingclient(url, part, concurrency=concurrency)
                except FailureError as failure:
                    results += failure.results
        return results
    finally:
        if echo.returncode is None:
            echo.terminate()
        await echo.wait()


async def as_client(cases):
    """Runs cases against our client, one after the other."""
    async with run_fuzzingserver(cases, port=0) as server:
        url = f"ws://127.0.0.1:{server.port}"
        echo = await asyncio.create_subprocess_exec(ECHO, "--connect", url)
        result = asyncio.ensure_future(server.get_result())
        try:
            if await echo.wait() != 0:
                raise SystemExit(f"websocket-echo ended with status {echo.returncode}")
            return await asyncio.wait_for(result, 10)
        except FailureError as failure:
            return failure.results
        finally:
            if echo.returncode is None:
                echo.terminate()
            result.cancel()


ROLES = {"server": as_server, "client": as_client}


async def outcomes(role, cases):
    """What the role made of the cases: id -> result."""
    results = await asyncio.wait_for(ROLES[role](cases), SECONDS_MAX)
    return {result.case_id: result for result in results}


def verdict(result):
    if result is None:
        return ["NOT RUN", "NOT RUN"]
    return [result.behavior.value, result.behavior_close.value]


def summary(role, verdicts, seconds):
    def counts(index):
        count = collections.Counter(verdict[index] for verdict in verdicts)
        return ", ".join(f"{number} {name}" for name, number in count.most_common())

    print(f"{role}: {len(verdicts)} cases, {counts(0)}; closing {counts(1)}; {seconds:.1f} s")


def write(known):
    """One line a case, in the suite's order."""
    parts = []
    for role in ROLES:
        lines = [
            f"    {json.dumps(case)}: {json.dumps(known[role][case])}"
            for case in CASES
            if case in known[role]
        ]
        parts.append(f"  {json.dumps(role)}: {{\n" + ",\n".join(lines) + "\n  }")
    RESULTS.write_text("{\n" + ",\n".join(parts) + "\n}\n")


def main():
    cases = selected(sys.argv[1:])
    known = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    differences = 0
    for role in ROLES:
        began = time.monotonic()
        old = known.setdefault(role, {})
        new = asyncio.run(outcomes(role, cases))
        odd = [case for case in cases if verdict(new.get(case)) != old.get(case)]
        if old and 0 < len(odd) <= 20:
            # Many cases give the peer a second, and the machine may have been busy.
            new.update(asyncio.run(outcomes(role, odd)))
        verdicts = {case: verdict(new.get(case)) for case in cases}
        summary(role, verdicts.values(), time.monotonic() - began)
        for case in cases:
            if verdicts[case] == old.get(case):
                continue
            differences += 1
            if os.environ.get("UPDATE") != "1":
                then, now = " / ".join(old.get(case, ["unknown"])), " / ".join(verdicts[case])
                print(f"  {role} {case}: was {then}, is {now}")
                if case in new:
                    print(f"    {new[case].result} {new[case].result_close}")
            old[case] = verdicts[case]
    if differences and os.environ.get("UPDATE") == "1":
        write(known)
        print(f"{RESULTS.name}: {differences} changed")
    elif differences:
        raise SystemExit(f"{differences} differ from {RESULTS.name} (UPDATE=1 takes them over)")


main()
