"""The part of scripts/bench papers about a media server under load: MuSA, Napoli, about 2000."""

from paper_part import Missing, Part, bench, tell

SERVERS = (1, 2, 3)
DISK_MB_PER_S = 40  # of each server: two cores can run three with their players
PEAK_MB_PER_S = 120  # of the storage with guaranteed rates
SHARES = ("least", "mean", "most")


def media_server(options):
    part = Part(
        "A media server's throughput against offered load",
        "What does a film server deliver with 1, 2 and 3 disk servers, and how evenly, below and above its limit?",
        f"Films of 125, 8 and 1.5 Mbit/s by HTTP, a third of the load each, from disk servers that give {DISK_MB_PER_S} MB/s each and no more; players "
        "take a film as fast as it plays, and none is refused. A share is what a player got, of its film's rate. Then one storage of "
        f"{PEAK_MB_PER_S} MB/s where players are promised their rates while they fit into 0.85 of it, and many players of 1.5 Mbit/s, as the paper's. Players and servers are "
        "on one machine.",
        "MuSA (Napoli, about 2000): with films of 1.5 Mbit/s throughput grew linearly to about 90 Mbit/s a disk server, with one, two and three; each within "
        "5 % of its rate below the limit, and above it 20 % less for all, within 10 %. Shapes can be compared; disks and networks cannot.")
    rows = [("disk servers", "offered load", "streams", "refused", "offered, Mbit/s", "delivered, Mbit/s", "least share", "mean", "most", "differ, %")]
    answer = disk_servers(part, rows, options)
    crowd = 1000 if not options.quick else 200 if options.shrink == 1 else 20
    tell("the film server, promises")
    reported = bench(part, "vod", "--seconds", options.seconds, "--peak", PEAK_MB_PER_S, "--crowd", crowd)
    for row in reported["loads"]:
        rows.append(("a storage; promised", row["offered_load"], row["streams"], row["refused"], 8 * PEAK_MB_PER_S * row["offered_load"], 8 * row["mb_per_s"],
                     *shares(row)))
    over = reported["overload"]
    for kind, name in (("guaranteed", "promised"), ("best_effort", "best effort")):
        rows.append((f"a storage; above its limit, {name}", over["offered_load"], over[kind]["streams"], "", "", "", *shares(over[kind])))
    many = reported["crowd"]
    rows.append((f"a storage; {crowd} of 1.5 Mbit/s", "", many["streams"], "", 1.5 * crowd, 8 * many["mb_per_s"], *shares(many)))
    part.tables.append(("What players got", rows))
    part.plot("What each got of its film's rate: all promised theirs, others refused", "offered load, of the storage", "share",
              [[f"{name} of all players", [(row["offered_load"], row[f"{name}_share"]) for row in reported["loads"]]] for name in SHARES], part.commands[-1:])
    best = over["best_effort"]
    part.answer = (f"{answer}With guaranteed rates, each admitted player gets its rate within "
                   f"{max(100 * abs(1 - row[f'{name}_share']) for row in reported['loads'] for name in SHARES):.1f} %; at {over['offered_load']:.1f} times "
                   f"the storage's rate guaranteed players keep {over['guaranteed']['least_share']:.3f} of theirs, and best-effort players differ by {best['differ_pct']:.1f} %. "
                   f"{many['streams']} concurrent players got {many['mean_share']:.3f} of their rates on average, {many['least_share']:.3f} at least.")
    return part


def servers_text(count):
    return f"{count} disk server{'s' * (count > 1)}"


def shares(row):
    return (*(row[f"{name}_share"] for name in SHARES), row["differ_pct"])


def disk_servers(part, rows, options):
    """Measures 1, 2 and 3 disk servers, and adds rows and plots."""
    reported = {}
    try:
        for count in SERVERS if options.shrink == 1 else SERVERS[-1:]:
            tell(f"the film server with {servers_text(count)}")
            reported[count] = bench(part, "vod", "--disks", count, "--seconds", options.seconds, "--peak", DISK_MB_PER_S)["disks"]
    except Missing as missing:
        part.setup += f" Disk servers were left out: {missing}."
        part.commands.clear()
        return ""
    for count, found in reported.items():
        rows += [(servers_text(count), row["offered_load"], row["streams"], 0, 8 * row["offered_mb_per_s"], 8 * row["mb_per_s"], *shares(row)) for row in found]
    offered = sorted({8 * row["offered_mb_per_s"] for found in reported.values() for row in found})
    part.plot("Throughput against offered load", "offered, Mbit/s", "delivered, Mbit/s", [
        *([servers_text(count), [(8 * row["offered_mb_per_s"], 8 * row["mb_per_s"]) for row in found]] for count, found in reported.items()),
        ["all that was offered", [(x, x) for x in (offered[0], offered[-1])]]])
    part.plot("Evenness against offered load: how far the shares of players differ", "offered load, of what the disk servers give", "% of the mean", [
        [servers_text(count), [(row["offered_load"], row["differ_pct"]) for row in found]] for count, found in reported.items()])
    most = {count: max(8 * row["mb_per_s"] for row in found) for count, found in reported.items()}
    below = max(abs(1 - row[f"{name}_share"]) for found in reported.values() for row in found if row["offered_load"] < 0.9 for name in SHARES)
    above = [found[-1] for found in reported.values()]
    return (f"{', '.join(f'{value:.0f}' for value in most.values())} Mbit/s at most with {', '.join(map(str, most))} disk servers of "
            f"{8 * DISK_MB_PER_S} each. Below the limit "
            f"each player is within {100 * below:.1f} % of its rate (the paper: 5 %); at {above[0]['offered_load']:.1f} times the limit they get "
            f"{min(row['mean_share'] for row in above):.2f} of it or more and differ by {max(row['differ_pct'] for row in above):.1f} % at most (the paper: 20 % less, within 10 %). ")
