package org.onesided.tools.kvctl.rdma.machine;

import java.util.List;
import java.util.Locale;

/**
 * The findings of all checks, ready to print.
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
     * @return whether RDMA works: no check failed, and the loopback check ran.
     */
    public boolean isSound()
    {
        return findings.stream().noneMatch(finding -> finding.level() == Level.FAIL) &&
            findings.stream().anyMatch(finding ->
                finding.topic().equals(LoopbackCheck.TOPIC) && finding.level() == Level.PASS);
    }

    /**
     * @return a line per finding, which starts with its level and topic, with remedies indented below it; then a line
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
     * Passes the findings to a listener.
     *
     * @param listener gets each finding.
     */
    public void forEach(final Listener listener)
    {
        findings.forEach(finding -> listener.onFinding(
            finding.level().name().toLowerCase(Locale.ROOT), finding.topic(), finding.text(),
            finding.advice().stream().flatMap(advice -> advice.commands().stream()).toList()));
    }

    /**
     * Gets findings.
     */
    @FunctionalInterface
    public interface Listener
    {
        /**
         * @param level    pass, warn, fail or skip.
         * @param topic    of the check.
         * @param text     the result.
         * @param commands that fix it; empty if none is needed.
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
