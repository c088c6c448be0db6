/**
 * Settings, each declared once, the readers of their values, and files of Java properties.
 */
package org.onesided.tools.settings;
