package org.onesided.tools.kvctl.rdma.machine;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.onesided.tools.machine.SystemFiles;
import org.onesided.verbs.Device;
import org.onesided.verbs.VerbsException;

/**
 * Checks one by one what RDMA needs of a machine. Not thread-safe.
 */
public final class Doctor
{
    /** The kind of device that needs the kernel's drivers and libibverbs. */
    private static final String IBV = "ibv";

    private final SystemFiles files;
    private final Selection selection;
    private final long need;
    private final String user;

    /**
     * @param root      directory of the system's own files, {@code /} but for tests.
     * @param selection of the device, port and GID that are to work.
     * @param need      memory of a usual server in bytes.
     * @param user      name of the user who asks.
     */
    public Doctor(final Path root, final Selection selection, final long need, final String user)
    {
        this(new SystemFiles(root), selection, need, user);
    }

    Doctor(final SystemFiles files, final Selection selection, final long need, final String user)
    {
        this.files = files;
        this.selection = selection;
        this.need = need;
        this.user = user;
    }

    /**
     * Makes all checks, the last of which READs through the device itself.
     *
     * @param progress is told before each check how many are done, and of how many.
     * @return what was found.
     */
    public Report examine(final Progress progress)
    {
        progress.done(0, 1);
        final Host host = Host.of(files, user);
        final List<KernelDevice> kernelDevices =
            IBV.equals(selection.provider().kind()) ? KernelDevice.list(files) : List.of();
        final List<OpenDevice> devices = new ArrayList<>();
        try
        {
            final VerbsException failure = open(devices);
            final Choice choice = Choice.of(selection, devices);
            final List<Check> checks = new ArrayList<>();
            if (IBV.equals(selection.provider().kind()))
            {
                if (host.isContainer())
                {
                    checks.add(() -> List.of(container()));
                }
                checks.add(new LibraryCheck(host));
                checks.add(new ModuleCheck(host, kernelDevices));
                checks.add(new DeviceFileCheck(host, kernelDevices));
            }
            checks.addAll(List.of(
                new OpenCheck(host, kernelDevices, devices, failure),
                new PortCheck(host, kernelDevices, devices, selection),
                new ChoiceCheck(host, kernelDevices, selection, choice),
                new MemoryLockCheck(host, need),
                new HugePageCheck(host, need),
                new SharedMemoryCheck(host, need, sharedMemory()),
                new LoopbackCheck(host, choice)));
            final List<Finding> findings = new ArrayList<>();
            for (int i = 0; i < checks.size(); i++)
            {
                // Opening the devices was the first of all.
                progress.done(i + 1, checks.size() + 1);
                findings.addAll(run(checks.get(i)));
            }
            return new Report(findings, choice.isComplete() ? choice.text() : null);
        }
        finally
        {
            devices.forEach(OpenDevice::close);
        }
    }

    /**
     * Is told how far the checks are.
     */
    @FunctionalInterface
    public interface Progress
    {
        /**
         * @param done checks.
         * @param all  checks, the same number from the second call on.
         */
        void done(int done, int all);
    }

    private static Finding container()
    {
        return Finding.pass("container", "this is one, which needs: docker run --network host " +
            "--device /dev/infiniband --cap-add IPC_LOCK --ulimit memlock=-1 --shm-size 2g ...");
    }

    /** A device that was lost meanwhile fails its check, and not the others. */
    private static List<Finding> run(final Check check)
    {
        try
        {
            return check.findings();
        }
        catch (final VerbsException e)
        {
            return List.of(Finding.fail("verbs", e.getMessage()));
        }
    }

    private VerbsException open(final List<OpenDevice> devices)
    {
        try
        {
            for (final Device device : selection.provider().devices())
            {
                devices.add(OpenDevice.open(device));
            }
            return null;
        }
        catch (final VerbsException e)
        {
            return e;
        }
    }

    private SharedMemoryCheck.Space sharedMemory()
    {
        try
        {
            final FileStore store = Files.getFileStore(files.path("/dev/shm"));
            final long total = store.getTotalSpace();
            final long free = store.getUsableSpace();
            return new SharedMemoryCheck.Space(total, free);
        }
        catch (final IOException e)
        {
            return null;
        }
    }
}
