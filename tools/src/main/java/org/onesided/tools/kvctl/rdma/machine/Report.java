package org.onesided.tools.kvctl.rdma.machine;

import java.util.List;
import java.util.Locale;

/**
 * All that was found, to be printed.
 */
public final class Report
{
    private final List<Finding> findings;
    private final String choice;

    Report(final List<Finding> findings, final String choice)
    {
        this.findings = List.copyOf(findings);
        this.choice = choice;
    }

    List<Finding> findings()
    {
        return findings;
    }

    /**
     * @return whether RDMA works: nothing failed, and the loopback was tried.
     */
    public boolean isSound()
    {
        return findings.stream().noneMatch(finding -> finding.level() == Level.FAIL) &&
            findings.stream().anyMatch(finding ->
                finding.topic().equals(LoopbackCheck.TOPIC) && finding.level() == Level.PASS);
    }

    /**
     * @return a line per finding, which starts with its level and topic; below it, indented, what to do; last a line
     *         with the verdict.
     */
    public String text()
    {
        final int width = findings.stream().mapToInt(finding -> finding.topic().length()).max().orElse(1);
        final StringBuilder text = new StringBuilder();
        for (final Finding finding : findings)
        {
            text.append(finding.level().name().toLowerCase(Locale.ROOT)).append("  ").append(finding.topic())
                .append(" ".repeat(width - finding.topic().length())).append("  ").append(finding.text()).append('\n');
            for (final Advice advice : finding.advice())
            {
                text.append("        ").append(advice.what()).append('\n');
                advice.commands().forEach(command -> text.append("            ").append(command).append('\n'));
            }
        }
        return text.append('\n').append(verdict()).append('\n').toString();
    }

    /**
     * Gives what was found to somebody.
     *
     * @param listener is told of each finding.
     */
    public void forEach(final Listener listener)
    {
        findings.forEach(finding -> listener.onFinding(
            finding.level().name().toLowerCase(Locale.ROOT), finding.topic(), finding.text(),
            finding.advice().stream().flatMap(advice -> advice.commands().stream()).toList()));
    }

    /**
     * Is told what was found.
     */
    @FunctionalInterface
    public interface Listener
    {
        /**
         * @param level    pass, warn, fail or skip.
         * @param topic    what was looked at.
         * @param text     what was found.
         * @param commands that put it right; empty if none is needed.
         */
        void onFinding(String level, String topic, String text, List<String> commands);
    }

    private String verdict()
    {
        final long failed = findings.stream().filter(finding -> finding.level() == Level.FAIL).count();
        final long warned = findings.stream().filter(finding -> finding.level() == Level.WARN).count();
        final String counts = failed + " failed, " + warned + " to look at";
        return isSound() ? "RDMA works: " + choice + "; " + counts : "RDMA does not work here yet: " + counts;
    }
}
