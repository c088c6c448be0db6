package org.onesided.restarts;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.onesided.testing.HangGuard;
import org.onesided.testing.JavaCommand;
import org.onesided.testing.KvctlCommand;
import org.onesided.testing.ProjectFolder;

/**
 * A server in a virtual machine, with its data on the machine's disk, over the device tcp. To kill it is to pull the
 * machine's plug: qemu ends by SIGKILL, and all that the machine's kernel had not written to its disk is gone with it.
 */
public final class PluggedServer extends KilledServer
{
    private static final String VM = ProjectFolder.ROOT.resolve("tests/vm/run-in-vm").toString();
    private static final String QEMU = "qemu-system-x86_64";
    private static final String MEMORY_MIB = "2048";
    /** Of one life of the machine. */
    private static final String LIMIT_SECONDS = "3600";
    private static final long DISK_LENGTH = 2L << 30;
    private static final long LOOK_MS = 5;
    private static final long QEMU_SECONDS = 60;
    private static final int SLOWNESS = 4;
    /** Mounts the disk. Behind a pipe, the server does not take the machine's serial line for a terminal. */
    private static final String MOUNT =
        "mkdir -p /run/disk && mount -t ext4 /dev/vda /run/disk && \"$@\" 2>&1 | cat";

    private final Path folder;
    private final Path disk;
    private final Path log;
    private final Path tokenFile;
    private final byte[] token;
    private final ServerClasses classes;
    private final String devicePort = Integer.toString(anyPort());
    private final String metricsPort = Integer.toString(anyPort());
    /** The present machine: it must not outlive this process. */
    private volatile Process machine;
    private final Thread atExit = new Thread(() ->
    {
        if (machine != null)
        {
            machine.destroy();
        }
    });

    /**
     * Makes the disk, an empty file system ext4.
     *
     * @param options of the server beyond its address, its device and the place of its data.
     * @param log     where its log goes, that of all its processes.
     * @param folder  that is there, for the disk and what else it takes.
     * @throws IOException if the disk cannot be made.
     */
    public PluggedServer(final List<String> options, final Path log, final Path folder) throws IOException
    {
        super(options, log);
        this.log = log;
        this.folder = folder;
        token = UUID.randomUUID().toString().getBytes(UTF_8);
        tokenFile = Files.write(folder.resolve("token"), token);
        classes = ServerClasses.archived(folder);
        disk = folder.resolve("disk");
        makeDisk(disk, DISK_LENGTH);
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /**
     * Makes a file that holds an empty file system.
     *
     * @param file   that is not there yet.
     * @param length of it in bytes.
     * @throws IOException if it cannot be made.
     */
    static void makeDisk(final Path file, final long length) throws IOException
    {
        try (RandomAccessFile made = new RandomAccessFile(file.toFile(), "rw"))
        {
            made.setLength(length);
        }
        // Debian keeps the program where only root's PATH looks.
        final Process process = new ProcessBuilder(
            "sh", "-c", "PATH=$PATH:/usr/sbin:/sbin mkfs.ext4 -q \"$1\"", "sh", file.toString()).inheritIO().start();
        try
        {
            if (process.waitFor() != 0)
            {
                throw new IOException("file system could not be made: file=" + file);
            }
        }
        catch (final InterruptedException e)
        {
            throw new IOException(e);
        }
    }

    @Override
    Process launch(final List<String> serverOptions, final Path to) throws IOException
    {
        final String port = address().substring(address().indexOf(':') + 1);
        final List<String> arguments = new ArrayList<>(List.of(
            "server", "--listen", "0.0.0.0:" + port, "--device", "tcp:0.0.0.0:" + devicePort,
            "--metrics", "0.0.0.0:" + metricsPort, "--token-file", tokenFile.toString(),
            "--data", "/run/disk/data"));
        arguments.addAll(serverOptions);
        final List<String> command = new ArrayList<>(List.of(
            VM, "-m", MEMORY_MIB, "-t", LIMIT_SECONDS, "-d", disk.toString(),
            "-p", port, "-p", devicePort, "-p", metricsPort, "--", "sh", "-c", MOUNT, "sh"));
        command.addAll(JavaCommand.of(classes.options(), classes.classPath(), KvctlCommand.MAIN_CLASS, arguments));
        machine = new ProcessBuilder(command)
            .directory(ProjectFolder.ROOT.toFile())
            .redirectError(ProcessBuilder.Redirect.appendTo(folder.resolve("machine.log").toFile()))
            .start();
        return machine;
    }

    @Override
    void onLine(final String line)
    {
        try
        {
            Files.writeString(log, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    String metrics(final String there)
    {
        return "127.0.0.1:" + metricsPort;
    }

    @Override
    public byte[] token()
    {
        return token.clone();
    }

    @Override
    public int slowness()
    {
        return SLOWNESS;
    }

    /** Pulls the plug, if need be as soon as the machine has been switched on. */
    @Override
    void end(final Process running) throws IOException, InterruptedException
    {
        final long endNs = System.nanoTime() + HangGuard.nanos(QEMU_SECONDS);
        Optional<ProcessHandle> qemu = qemu(running);
        while (qemu.isEmpty())
        {
            if (!running.isAlive() || System.nanoTime() - endNs > 0)
            {
                throw new IOException("virtual machine does not run, see " + folder.resolve("machine.log"));
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MS);
            qemu = qemu(running);
        }
        qemu.get().destroyForcibly();
    }

    private static Optional<ProcessHandle> qemu(final Process running)
    {
        return running.descendants()
            .filter(process -> process.info().command().filter(command -> command.endsWith(QEMU)).isPresent())
            .findFirst();
    }

    /** Pulls the plug, too: nobody in the machine could be asked. */
    @Override
    public int terminate() throws IOException, InterruptedException
    {
        kill();
        return 0;
    }

    @Override
    void discard(final Process running) throws IOException
    {
        Runtime.getRuntime().removeShutdownHook(atExit);
        // The script removes its files, too.
        running.destroy();
        try
        {
            if (!running.waitFor(QEMU_SECONDS, TimeUnit.SECONDS))
            {
                throw new IOException("virtual machine does not end: pid=" + running.pid());
            }
        }
        catch (final InterruptedException e)
        {
            throw new IOException(e);
        }
    }
}
