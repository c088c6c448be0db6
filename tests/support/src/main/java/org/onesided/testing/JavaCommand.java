package org.onesided.testing;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Command lines that run a class of the test's class path in a JVM of its own, with the flags of this one.
 */
public final class JavaCommand
{
    /** What it takes to run, and what lets Java start sooner on a slow machine. */
    private static final List<String> PASSED_ON = List.of(
        "--", "-XX:SharedArchiveFile=", "-XX:TieredStopAtLevel=", "-XX:-TieredCompilation", "-XX:+UseSerialGC",
        "-XX:-UsePerfData", "-Xlog:disable");

    private JavaCommand()
    {
    }

    /**
     * @param mainClass to run.
     * @param arguments of it.
     * @return the command line.
     */
    public static List<String> of(final String mainClass, final List<String> arguments)
    {
        return of(List.of(), ownClassPath(), mainClass, arguments);
    }

    /**
     * @param options   further ones of the JVM.
     * @param mainClass to run.
     * @param arguments of it.
     * @return the command line.
     */
    public static List<String> of(
        final List<String> options, final String mainClass, final List<String> arguments)
    {
        return of(options, ownClassPath(), mainClass, arguments);
    }

    /**
     * @param mainClass to run.
     * @param folder    of further classes.
     * @param arguments of the class.
     * @return the command line.
     */
    public static List<String> of(final String mainClass, final String folder, final List<String> arguments)
    {
        return of(List.of(), folder + ":" + ownClassPath(), mainClass, arguments);
    }

    /**
     * @param classPath in place of the test's.
     * @param mainClass to run.
     * @param arguments of it.
     * @return the command line.
     */
    public static List<String> ofClassPath(
        final String classPath, final String mainClass, final List<String> arguments)
    {
        return of(List.of(), classPath, mainClass, arguments);
    }

    /**
     * @param options   further ones of the JVM.
     * @param classPath in place of the test's.
     * @param mainClass to run.
     * @param arguments of it.
     * @return the command line.
     */
    public static List<String> of(
        final List<String> options, final String classPath, final String mainClass, final List<String> arguments)
    {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (final String flag : ManagementFactory.getRuntimeMXBean().getInputArguments())
        {
            if (PASSED_ON.stream().anyMatch(flag::startsWith))
            {
                command.add(flag);
            }
        }
        command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC"));
        command.addAll(options);
        command.addAll(List.of("-cp", classPath, mainClass));
        command.addAll(arguments);
        return command;
    }

    private static String ownClassPath()
    {
        return System.getProperty("java.class.path");
    }
}
