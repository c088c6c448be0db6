package org.onesided.tools.kvctl.rdma.machine;

import java.util.List;
import org.onesided.tools.text.Amounts;

/**
 * Checks how much memory this process may lock. Registered memory is locked, including a server's whole table.
 *
 * @param host to look at.
 * @param need of a usual server, in bytes.
 */
record MemoryLockCheck(Host host, long need) implements Check
{
    private static final String TOPIC = "locked memory";
    private static final String LIMIT = "Max locked memory";
    private static final String UNLIMITED = "unlimited";
    private static final int IPC_LOCK_CAPABILITY = 14;
    private static final String WHOLE_MACHINE = "4294967295";

    /** Below this, even a client cannot register its buffers. */
    private static final long LEAST = 4L << 20;

    @Override
    public List<Finding> findings()
    {
        return List.of(finding());
    }

    private Finding finding()
    {
        final String[] words = host.files().value("/proc/self/limits", LIMIT).split("\\s+");
        final long soft = words.length > 1 ? limit(words[0]) : -1;
        final long hard = words.length > 1 ? limit(words[1]) : -1;
        if (soft < 0 || hard < 0)
        {
            return Finding.warn(TOPIC, "the limit cannot be read from /proc/self/limits");
        }
        if (soft == Long.MAX_VALUE)
        {
            return Finding.pass(TOPIC, UNLIMITED);
        }
        final String limits = "limit=" + text(soft) + " hard_limit=" + text(hard);
        if (mayIgnoreLimit())
        {
            return Finding.pass(TOPIC, "this process may lock all it wants (CAP_IPC_LOCK): " + limits);
        }
        if (soft >= need)
        {
            return Finding.pass(TOPIC, "enough for a server of " + Amounts.size(need) + ": " + limits);
        }
        return soft < LEAST ?
            Finding.fail(TOPIC, "too little even for a client: " + limits, advice(hard)) :
            Finding.warn(
                TOPIC, "enough for clients, too little for a server of " + Amounts.size(need) + ": " + limits,
                advice(hard));
    }

    private Advice[] advice(final long hard)
    {
        final Advice shell = Advice.of("in this shell:",
            "ulimit -l " + (hard == Long.MAX_VALUE ? UNLIMITED : String.valueOf(hard >>> 10)));
        final Advice login = Advice.of("for logins, a line in /etc/security/limits.d/rdma.conf; then log in anew:",
            (host.user().equals("root") ? "root" : "*") + " - memlock unlimited");
        final Advice service = Advice.of("for a service of systemd, below [Service]:", "LimitMEMLOCK=infinity");
        final Advice container = Advice.of("for a container:",
            "docker run --ulimit memlock=-1 --cap-add IPC_LOCK ...");
        if (host.isContainer())
        {
            return new Advice[]{container};
        }
        return hard >= need ?
            new Advice[]{shell, login, service, container} : new Advice[]{login, service, container};
    }

    /** Whether the capability lifts the limit; it counts only outside of user namespaces. */
    private boolean mayIgnoreLimit()
    {
        final String capabilities = host.files().value("/proc/self/status", "CapEff:");
        if (!capabilities.matches("[0-9a-fA-F]{1,16}"))
        {
            return false;
        }
        final boolean isGranted = (Long.parseUnsignedLong(capabilities, 16) >>> IPC_LOCK_CAPABILITY & 1) != 0;
        final String users = host.files().line("/proc/self/uid_map");
        return isGranted && (users.isEmpty() || users.matches("0\\s+0\\s+" + WHOLE_MACHINE));
    }

    private static long limit(final String word)
    {
        if (word.equals(UNLIMITED))
        {
            return Long.MAX_VALUE;
        }
        if (!word.matches("\\d{1,20}"))
        {
            return -1;
        }
        return word.length() > 18 ? Long.MAX_VALUE : Long.parseLong(word);
    }

    private static String text(final long limit)
    {
        return limit == Long.MAX_VALUE ? UNLIMITED : Amounts.size(limit);
    }
}
