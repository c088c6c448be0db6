package org.onesided.testing;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Command lines that run kvctl in a JVM of its own. Where Maven runs the tests, it is started as its launcher does it:
 * from its jar, with the archive of loaded classes that the build has made, which takes a third less processor time.
 * Elsewhere, as beside a planted bug, it is the kvctl of the test's class path.
 */
public final class KvctlCommand
{
    /** The main class, for those who put the class path together. */
    public static final String MAIN_CLASS = "org.onesided.tools.kvctl.Kvctl";

    /** System property with the jar, which Maven sets, and a JVM that a test starts does not have. */
    private static final String JAR_PROPERTY = "onesided.test.kvctl.jar";

    /** Devices of the tests, which the jar does not know. */
    private static final String TEST_DEVICE = "chaos:";

    private static final int AOT_CACHE_SINCE = 25;

    private KvctlCommand()
    {
    }

    /**
     * @param arguments of kvctl.
     * @return the command line, with the compiler of this JVM and little memory, as {@link JavaCommand} has it.
     */
    public static List<String> of(final List<String> arguments)
    {
        final String jar = jar();
        if (jar == null || arguments.stream().anyMatch(argument -> argument.startsWith(TEST_DEVICE)))
        {
            return JavaCommand.of(MAIN_CLASS, arguments);
        }
        final List<String> options = new ArrayList<>();
        for (final String flag : ManagementFactory.getRuntimeMXBean().getInputArguments())
        {
            if (flag.startsWith("-XX:TieredStopAtLevel=") || flag.equals("-XX:-TieredCompilation"))
            {
                options.add(flag);
            }
        }
        options.add("-Xmx256m");
        final List<String> command = new ArrayList<>(ofJar(jar, options));
        command.addAll(arguments);
        return command;
    }

    /**
     * @param options of the JVM, beyond those that kvctl needs.
     * @return what starts kvctl, without its arguments.
     */
    public static List<String> program(final List<String> options)
    {
        final String jar = jar();
        if (jar != null)
        {
            return ofJar(jar, options);
        }
        final List<String> command = new ArrayList<>(List.of(java()));
        for (final String flag : ManagementFactory.getRuntimeMXBean().getInputArguments())
        {
            if (flag.startsWith("--"))
            {
                command.add(flag);
            }
        }
        command.add("-XX:+UseSerialGC");
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), MAIN_CLASS));
        return command;
    }

    /** As {@code config/start.sh} does it. The manifest has most of what Java must be told. */
    private static List<String> ofJar(final String jar, final List<String> options)
    {
        final List<String> command = new ArrayList<>(List.of(java(), "-XX:+UseSerialGC"));
        final int version = Runtime.version().feature();
        if (version >= 24)
        {
            command.add("--sun-misc-unsafe-memory-access=allow");
        }
        final Path archive = Path.of(jar).resolveSibling(
            "kvctl-" + version + "-" + Path.of(System.getProperty("java.home")).getFileName() + ".classes");
        if (fits(archive, Path.of(jar)))
        {
            command.add(version >= AOT_CACHE_SINCE ? "-Xlog:cds*=off,aot*=off" : "-Xlog:cds*=off");
            command.add((version >= AOT_CACHE_SINCE ? "-XX:AOTCache=" : "-XX:SharedArchiveFile=") + archive);
        }
        command.addAll(options);
        command.addAll(List.of("-jar", jar));
        return command;
    }

    /** The jar; null where the test's class path has other classes of kvctl. */
    private static String jar()
    {
        final String jar = System.getProperty(JAR_PROPERTY);
        final String classPath = System.getProperty("java.class.path");
        return jar != null && List.of(classPath.split(File.pathSeparator)).contains(jar) ? jar : null;
    }

    /** An empty one says that none could be made, and Java starts slower with one of another jar than without. */
    private static boolean fits(final Path archive, final Path jar)
    {
        try
        {
            return Files.isReadable(archive) && Files.size(archive) > 0 &&
                Files.getLastModifiedTime(archive).compareTo(Files.getLastModifiedTime(jar)) >= 0;
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    private static String java()
    {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }
}
