package org.onesided.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * The parts of the conformance suite that are about requests and completions, on a device with all faults but lost
 * queue pairs, which no rule can be kept on. What comes late or by pieces must come as the verbs say.
 */
@Timeout(300)
class ChaosRulesTest
{
    private static final String DEVICE = "chaos:1/lose=0:shm";
    private static final int LEAST_RULES = 80;

    @Test
    void shouldKeepTheRulesUnderFaults()
    {
        final SummaryGeneratingListener listener = new SummaryGeneratingListener();
        final String former = System.getProperty(Conformance.DEVICES_PROPERTY);
        System.setProperty(Conformance.DEVICES_PROPERTY, DEVICE);
        try
        {
            final Launcher launcher = LauncherFactory.create();
            launcher.execute(LauncherDiscoveryRequestBuilder.request().selectors(
                selectClass(AtomicConformanceTest.class),
                selectClass(CompletionConformanceTest.class),
                selectClass(DestroyConformanceTest.class),
                selectClass(ErrorConformanceTest.class),
                selectClass(InlineConformanceTest.class),
                selectClass(PostingConformanceTest.class),
                selectClass(ProtectionConformanceTest.class),
                selectClass(SharedReceiveConformanceTest.class)).build(), listener);
        }
        finally
        {
            if (former == null)
            {
                System.clearProperty(Conformance.DEVICES_PROPERTY);
            }
            else
            {
                System.setProperty(Conformance.DEVICES_PROPERTY, former);
            }
        }
        final TestExecutionSummary summary = listener.getSummary();
        final StringWriter failures = new StringWriter();
        summary.printFailuresTo(new PrintWriter(failures, true), 10);
        assertEquals(0, summary.getTotalFailureCount(), failures::toString);
        assertTrue(summary.getTestsSucceededCount() >= LEAST_RULES, "rules kept: " + summary.getTestsSucceededCount());
    }
}
