package org.onesided.tools.kvctl.rdma.machine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.onesided.machine.SystemFiles;

/**
 * The files of a Debian with one Soft-RoCE device, to be changed by a test.
 */
final class FakeSystem extends SystemFiles
{
    private final Path root;
    private String unusable = "";

    FakeSystem(final Path root)
    {
        super(root);
        this.root = root;
        write("/etc/os-release", "NAME=\"Debian GNU/Linux\"\nID=debian\n");
        write("/proc/sys/kernel/osrelease", "6.1.0-42-amd64\n");
        write("/lib/modules/6.1.0-42-amd64/modules.dep",
            "kernel/drivers/infiniband/sw/rxe/rdma_rxe.ko: kernel/net/ipv4/udp_tunnel.ko\n");
        write("/usr/sbin/rdma", "");
        write("/usr/lib/x86_64-linux-gnu/libibverbs.so.1", "");
        write("/usr/lib/x86_64-linux-gnu/libibverbs/librxe-rdmav34.so", "");
        write("/proc/modules", "rdma_rxe 135168 0 - Live 0x0\nib_uverbs 172032 2 rdma_rxe,rdma_ucm, Live 0x0\n");
        device("rxe0", "1: CA", "dummy0", 0);
        network("dummy0", true, true);
        lockedMemory("unlimited", "unlimited");
        write("/proc/self/status", "Name:\tjava\nCapEff:\t0000000000000000\n");
        write("/proc/self/uid_map", "         0          0 4294967295\n");
        hugePages(256, 200);
        write("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
        write("/dev/shm/empty", "");
    }

    @Override
    public boolean isUsable(final String file)
    {
        return !file.equals(unusable) && super.isUsable(file);
    }

    void forbid(final String file)
    {
        unusable = file;
    }

    void device(final String name, final String nodeType, final String parent, final int number)
    {
        write("/sys/class/infiniband/" + name + "/node_type", nodeType + "\n");
        if (!parent.isEmpty())
        {
            write("/sys/class/infiniband/" + name + "/parent", parent + "\n");
        }
        write("/sys/class/infiniband_verbs/uverbs" + number + "/ibdev", name + "\n");
        write("/sys/class/infiniband_verbs/uverbs" + number + "/dev", "231:" + (192 + number) + "\n");
        write("/dev/infiniband/uverbs" + number, "");
    }

    void network(final String name, final boolean isUp, final boolean hasCarrier)
    {
        write("/sys/class/net/" + name + "/type", "1\n");
        write("/sys/class/net/" + name + "/flags", isUp ? "0x1003\n" : "0x1002\n");
        write("/sys/class/net/" + name + "/carrier", hasCarrier ? "1\n" : "0\n");
    }

    void lockedMemory(final String soft, final String hard)
    {
        write("/proc/self/limits",
            "Limit                     Soft Limit           Hard Limit           Units     \n" +
            "Max processes             15612                15612                processes \n" +
            String.format("%-25s %-20s %-20s bytes     \n", "Max locked memory", soft, hard));
    }

    void hugePages(final int total, final int free)
    {
        write("/proc/meminfo", "MemTotal:       24576 kB\nHugePages_Total:     " + total +
            "\nHugePages_Free:      " + free + "\nHugepagesize:       2048 kB\n");
    }

    void write(final String file, final String text)
    {
        try
        {
            Files.createDirectories(path(file).getParent());
            Files.writeString(path(file), text);
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    void link(final String link, final String target)
    {
        try
        {
            Files.createDirectories(path(link).getParent());
            Files.createSymbolicLink(path(link), Path.of(target));
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    /** Removes a file, or a directory with all below it. */
    void remove(final String file)
    {
        if (!path(file).startsWith(root) || path(file).equals(root))
        {
            throw new IllegalArgumentException("not below the root: " + file);
        }
        for (final String name : names(file))
        {
            remove(file + "/" + name);
        }
        try
        {
            Files.delete(path(file));
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }
}
