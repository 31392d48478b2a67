const app = document.getElementById("app");

function escape(text) {
  return String(text).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

function drawHome() {
  app.innerHTML = `<h1>City finder</h1><nav><a href="#/search">Find a city</a> <a href="#/about">About</a></nav><p>2,500 cities of the world.</p>`;
}

function drawAbout() {
  app.innerHTML = `<h1>About</h1><p>Data of GeoNames. <a href="#/">Home</a></p>`;
}

function drawSearch() {
  app.innerHTML = `<h1>Find a city</h1><form id="finder"><label>Name <input name="name_like"></label>
    <label>Country <input name="country" size="2"></label><button>Find</button></form><p id="total"></p><ul id="answers"></ul><p><a href="#/">Home</a></p>`;
  document.getElementById("finder").addEventListener("submit", async (event) => {
    event.preventDefault();
    const asked = new URLSearchParams([...new FormData(event.target)].filter(([, value]) => value));
    asked.set("_limit", "50");
    const answer = await fetch(`/cities?${asked}`);
    const cities = await answer.json();
    document.getElementById("total").textContent = `${answer.headers.get("X-Total-Count") || cities.length} cities`;
    document.getElementById("answers").innerHTML = cities
      .map((city) => `<li><b>${escape(city.name)}</b>, ${escape(city.country)}: ${city.population} people, ${escape(city.timezone)}</li>`)
      .join("");
  });
}

function draw() {
  ({ "#/search": drawSearch, "#/about": drawAbout }[location.hash] || drawHome)();
}

window.addEventListener("hashchange", draw);
draw();
