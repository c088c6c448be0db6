package org.onesided.benchmark.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What shares the cores with the systems that are measured: busy processes of others, one core for all, or the quota of
 * a cgroup. For one thread.
 */
final class Surroundings implements AutoCloseable
{
    private static final Path CGROUP_V1 = Path.of("/sys/fs/cgroup/cpu");
    private static final Path CGROUP_V2 = Path.of("/sys/fs/cgroup");
    private static final int PERIOD_US = 100_000;

    private final String name;
    private final List<String> launcher;
    private final int busyCount;
    private final Path cgroup;
    private final int percent;
    private final List<Process> busy = new ArrayList<>();

    private Surroundings(
        final String name, final List<String> launcher, final int busyCount, final Path cgroup, final int percent)
    {
        this.name = name;
        this.launcher = launcher;
        this.busyCount = busyCount;
        this.cgroup = cgroup;
        this.percent = percent;
    }

    /** Nothing else runs. */
    static Surroundings quiet()
    {
        return new Surroundings("alone", List.of(), 0, null, 0);
    }

    /** So many processes of others never rest. */
    static Surroundings busy(final int count)
    {
        return new Surroundings(count + " busy", List.of(), count, null, 0);
    }

    /** All systems run on the first core. */
    static Surroundings oneCore()
    {
        return new Surroundings("one core", List.of("taskset", "-c", "0"), 0, null, 0);
    }

    /** All systems run in one cgroup, which may take so many percent of a CPU. */
    static Surroundings quota(final int percent)
    {
        final Path cgroup = (isOldCgroup() ? CGROUP_V1 : CGROUP_V2)
            .resolve("onesided-benchmark-" + ProcessHandle.current().pid());
        // A process is in the group from its first instruction on, so that its JVM counts its processors accordingly.
        final String join = "echo $$ > " + cgroup.resolve("cgroup.procs") + " && exec \"$@\"";
        return new Surroundings("quota of " + percent + " %", List.of("sh", "-c", join, "sh"), 0, cgroup, percent);
    }

    private static boolean isOldCgroup()
    {
        return Files.exists(CGROUP_V1.resolve("cpu.cfs_quota_us"));
    }

    /** Whether nobody else wants the cores. */
    boolean isQuiet()
    {
        return busyCount == 0 && launcher.isEmpty();
    }

    String name()
    {
        return name;
    }

    /** The program that starts each process there, with its arguments; empty if none is needed. */
    List<String> launcher()
    {
        return launcher;
    }

    /**
     * Makes the cgroup, before the systems start.
     *
     * @throws IOException if it cannot be made, which takes root.
     */
    void open() throws IOException
    {
        if (cgroup == null)
        {
            return;
        }
        Files.createDirectory(cgroup);
        final int quotaUs = PERIOD_US / 100 * percent;
        if (isOldCgroup())
        {
            Files.writeString(cgroup.resolve("cpu.cfs_period_us"), Integer.toString(PERIOD_US));
            Files.writeString(cgroup.resolve("cpu.cfs_quota_us"), Integer.toString(quotaUs));
        }
        else
        {
            Files.writeString(cgroup.resolve("cpu.max"), quotaUs + " " + PERIOD_US);
        }
    }

    /** Starts what disturbs; the systems have warmed up by then. */
    void begin() throws IOException
    {
        for (int i = 0; i < busyCount; i++)
        {
            busy.add(new ProcessBuilder("sh", "-c", "while :; do :; done").start());
        }
    }

    /** Ends what disturbs; the systems have ended by then. */
    @Override
    public void close() throws IOException
    {
        busy.forEach(Process::destroyForcibly);
        busy.clear();
        if (cgroup != null)
        {
            Files.deleteIfExists(cgroup);
        }
    }

    /** All that the project is measured in. */
    static List<Surroundings> all()
    {
        final List<Surroundings> all = new ArrayList<>(List.of(quiet()));
        IntStream.of(1, 2, 4).mapToObj(Surroundings::busy).forEach(all::add);
        all.add(oneCore());
        all.add(quota(100));
        all.add(quota(50));
        return all;
    }
}
