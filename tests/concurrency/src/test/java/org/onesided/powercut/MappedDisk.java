package org.onesided.powercut;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A device of the device mapper, and the file system ext4 on it.
 */
final class MappedDisk implements AutoCloseable
{
    private final String name;
    private final Path folder;
    private boolean isMounted;

    /**
     * Makes the device.
     *
     * @param name  of the device, which {@code /dev/mapper} then has.
     * @param table of the device mapper, in a line.
     */
    MappedDisk(final String name, final String table) throws IOException
    {
        this.name = name;
        folder = Path.of("/run/" + name);
        Files.createDirectories(folder);
        Commands.run("dmsetup", "create", name, "--table", table);
    }

    String device()
    {
        return "/dev/mapper/" + name;
    }

    /** Where the file system is, while it is mounted. */
    Path folder()
    {
        return folder;
    }

    /** Changes what the device does from now on. What is under way is done by the former table. */
    void change(final String table) throws IOException
    {
        Commands.run("dmsetup", "reload", name, "--table", table);
        // A file system could not be frozen on a disk that fails.
        Commands.run("dmsetup", "suspend", "--nolockfs", "--noflush", name);
        Commands.run("dmsetup", "resume", name);
    }

    /** Makes the device anew, without what the system remembers of it. It is not mounted. */
    void replace(final String table) throws IOException
    {
        Commands.run("dmsetup", "remove", "--retry", name);
        Commands.run("dmsetup", "create", name, "--table", table);
    }

    void mount() throws IOException
    {
        Commands.run("mount", "-t", "ext4", device(), folder.toString());
        isMounted = true;
    }

    void unmount() throws IOException
    {
        isMounted = false;
        Commands.run("umount", folder.toString());
    }

    /** Repairs the file system, as an administrator does after a disk has failed; whether there was something. */
    boolean repair() throws IOException
    {
        final StringBuilder output = new StringBuilder();
        final int exitCode = Commands.exitCode(output, "e2fsck", "-f", "-y", device());
        // 1 is repaired.
        if (exitCode > 1)
        {
            throw new IOException("file system cannot be repaired: exitCode=" + exitCode + " output=" + output);
        }
        return exitCode == 1;
    }

    @Override
    public void close() throws IOException
    {
        if (isMounted)
        {
            unmount();
        }
        Commands.run("dmsetup", "remove", "--retry", name);
    }
}
