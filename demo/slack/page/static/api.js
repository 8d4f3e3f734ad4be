// Talking to the stand-in: what this person sees, held open until it changes, and what they do.

export async function act(name, given) {
  try {
    const response = await fetch(`do/${name}`, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(given),
    });
    return await response.json();
  } catch {
    return { error: "The workspace does not answer. Is it still running?", lost: true };
  }
}

// Calls `seen(state)` after every change until the signal ends it. A hidden tab asks for nothing.
export async function follow(user, seen, lost, signal) {
  let mark = "";
  while (!signal.aborted) {
    await visible(signal);
    try {
      const response = await fetch(`state?user=${encodeURIComponent(user)}&since=${mark}`, { signal });
      const state = await response.json();
      if (!response.ok) throw new Error(state.error);
      if (signal.aborted) return;
      lost(false);
      // Held to the end without news.
      if (state.mark !== mark) seen(state);
      mark = state.mark;
    } catch (error) {
      if (signal.aborted) return;
      lost(true);
      await new Promise((resolve) => setTimeout(resolve, 1500));
    }
  }
}

function visible(signal) {
  if (document.visibilityState === "visible") return Promise.resolve();
  return new Promise((resolve) => {
    document.addEventListener("visibilitychange", resolve, { once: true, signal });
    signal.addEventListener("abort", resolve, { once: true });
  });
}
