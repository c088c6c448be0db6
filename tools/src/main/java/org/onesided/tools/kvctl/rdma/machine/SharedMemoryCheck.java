package org.onesided.tools.kvctl.rdma.machine;

import java.util.List;
import org.onesided.tools.text.Amounts;

/**
 * Checks that {@code /dev/shm} has room for a server of the shm device, the alternative without RDMA.
 *
 * @param host  to look at.
 * @param need  of a usual server, in bytes.
 * @param space of the file system; null if there is none.
 */
record SharedMemoryCheck(Host host, long need, Space space) implements Check
{
    private static final String TOPIC = "/dev/shm";
    private static final String OPTION = "huge=";
    private static final String NONE = "never";

    /**
     * Space of a file system.
     *
     * @param total in bytes.
     * @param free  in bytes, for this user.
     */
    record Space(long total, long free)
    {
    }

    @Override
    public List<Finding> findings()
    {
        if (space == null)
        {
            return List.of(Finding.warn(TOPIC, "is missing; the shm device needs it, ibv does not",
                host.asRoot("make it", "mkdir -p /dev/shm && mount -t tmpfs -o mode=1777 tmpfs /dev/shm")));
        }
        final String text = Amounts.size(space.free()) + " of " + Amounts.size(space.total()) + " free" +
            hugePages();
        if (space.free() >= need)
        {
            return List.of(Finding.pass(TOPIC, text));
        }
        final String what = text + ", too little for a server of " + Amounts.size(need) +
            " on the shm device; ibv does not need it";
        return List.of(Finding.warn(TOPIC, what, host.isContainer() ?
            Advice.of("containers get 64 MiB unless told otherwise:", "docker run --shm-size=2g ...") :
            space.total() < need ?
                host.asRoot("make it larger", "mount -o remount,size=2g /dev/shm") :
                Advice.of("see what fills it:", "du -ah /dev/shm | sort -h | tail")));
    }

    /** A mount option enables huge pages; the last mount of a path counts. */
    private String hugePages()
    {
        String mode = "";
        for (final String line : host.files().lines("/proc/self/mounts"))
        {
            final String[] words = line.split(" ");
            if (words.length > 3 && words[1].equals(TOPIC))
            {
                mode = NONE;
                for (final String option : words[3].split(","))
                {
                    mode = option.startsWith(OPTION) ? option.substring(OPTION.length()) : mode;
                }
            }
        }
        return mode.isEmpty() ? "" : mode.equals(NONE) ?
            "; no huge pages, to have some: mount -o remount,huge=advise /dev/shm" : "; huge pages: " + mode;
    }
}
