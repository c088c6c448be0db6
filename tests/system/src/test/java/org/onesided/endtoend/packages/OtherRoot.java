package org.onesided.endtoend.packages;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A folder that programs see as their root, with the devices and processes of this machine.
 */
final class OtherRoot
{
    /** The folder is a mount of its own, as a container's root is: Java looks for that of its files. */
    private static final String ENTER =
        "set -e; root=$1; user=$2; shift 2; mount --bind \"$root\" \"$root\"; mount -t proc proc \"$root/proc\"; " +
            "mount --rbind /dev \"$root/dev\"; " +
            "chroot=$(PATH=$PATH:/usr/sbin:/sbin; command -v chroot); " +
            "exec \"$chroot\" --userspec=\"$user:$user\" \"$root\" \"$@\"";

    private final Path folder;
    private final String user;

    /**
     * @param folder of the root.
     * @param user   number of the user and of the group that programs run as.
     */
    OtherRoot(final Path folder, final String user)
    {
        this.folder = folder;
        this.user = user;
    }

    /** Skips a test where programs cannot be given another root. */
    static void assumeWorks() throws IOException, InterruptedException
    {
        assumeTrue("root".equals(System.getProperty("user.name")) && Commands.exist("unshare", "chroot") &&
            Commands.run("unshare", "-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt").exitCode() == 0,
            "not tested: only root can run programs in another root, with unshare, mount and chroot");
    }

    /** Puts a shell and the C library there, and nothing else. */
    static void makeBare(final Path folder) throws IOException, InterruptedException
    {
        for (final String name : List.of("bin", "etc", "proc", "dev", "tmp"))
        {
            Files.createDirectories(folder.resolve(name));
        }
        Commands.run("sh", "-euc", """
            chmod 1777 "$1/tmp"
            cp -L /bin/sh "$1/bin/sh"
            { ldd /bin/sh; ldd "$2/bin/java"; ldd "$2/lib/server/libjvm.so"; } |
                sed -n -e 's|.* => \\(/[^ ]*\\) (.*|\\1|p' -e 's|^[[:space:]]*\\(/[^ ]*\\) (.*|\\1|p' |
                grep -v "^$2" | sort -u | while read -r file; do
                    mkdir -p "$1$(dirname "$file")"
                    cp -L "$file" "$1$file"
                done
            echo root:x:0:0:root:/:/bin/sh >"$1/etc/passwd"
            echo root:x:0: >"$1/etc/group"
            """, "sh", folder.toString(), System.getProperty("java.home")).assertDone();
    }

    ProcessBuilder builder(final Map<String, String> variables, final List<String> command)
    {
        final List<String> all = new ArrayList<>(List.of(
            "unshare", "-m", "sh", "-c", ENTER, "sh", folder.toString(), user));
        all.addAll(command);
        final ProcessBuilder builder = new ProcessBuilder(all);
        final String path = builder.environment().get("PATH");
        // Nothing of this machine may help.
        builder.environment().clear();
        builder.environment().put("PATH", path);
        builder.environment().putAll(variables);
        return builder;
    }

    Commands.Result run(final String... command) throws IOException, InterruptedException
    {
        return Commands.result(builder(Map.of(), List.of(command)));
    }

    Commands.Result kvctl(final String server, final String... arguments) throws IOException, InterruptedException
    {
        final List<String> command =
            new ArrayList<>(List.of("/usr/bin/kvctl", "--server", server, "--deadline", "60s"));
        command.addAll(List.of(arguments));
        return run(command.toArray(String[]::new));
    }
}
