package org.onesided.tools.kvctl.rdma.machine;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.onesided.machine.SystemFiles;
import org.onesided.verbs.Device;
import org.onesided.verbs.VerbsException;

/**
 * Checks the preconditions of RDMA on a machine, one by one. Not thread-safe.
 */
public final class Doctor
{
    /** The kind of device that needs kernel drivers and libibverbs. */
    private static final String IBV = "ibv";

    private final SystemFiles files;
    private final Selection selection;
    private final long need;
    private final String user;

    /**
     * @param root      directory of the system files: {@code /} except in tests.
     * @param selection of the device, port and GID to check.
     * @param need      memory of a usual server in bytes.
     * @param user      name of the user.
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
     * Runs all checks. The last one READs over the device itself.
     *
     * @param progress gets the number of finished checks, and of all, before each check.
     * @return the findings.
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
                // Opening the devices was the first step.
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
     * Gets the progress of the checks.
     */
    @FunctionalInterface
    public interface Progress
    {
        /**
         * @param done finished checks.
         * @param all  all checks; constant from the second call on.
         */
        void done(int done, int all);
    }

    private static Finding container()
    {
        return Finding.pass("container", "this is one, which needs: docker run --network host " +
            "--device /dev/infiniband --cap-add IPC_LOCK --ulimit memlock=-1 --shm-size 2g ...");
    }

    /** Losing a device fails its own check and no other. */
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
